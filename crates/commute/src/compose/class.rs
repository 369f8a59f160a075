//! What sort of mistake it is, and how people usually mend it.

use commute_explore::Told;

/// The name of the mistake, and what to do.
pub(super) fn class(steps: &[Told]) -> (&'static str, &'static str) {
    let of_method: Vec<&Told> = { steps.iter() }
        .filter(|told| told.thread == "method" && told.sort != "call")
        .collect();
    let does = |told: &Told, methods: &[&str]| methods.contains(&told.method.as_str());
    let first = |methods: &[&str]| of_method.iter().position(|told| does(told, methods));
    let after = |from: usize, methods: &[&str]| {
        let mut rest = of_method.iter().skip(from + 1);
        rest.any(|told| does(told, methods))
    };
    if let Some(size) = first(SIZES)
        && after(size, WRITES)
    {
        return (
            "size-then-act",
            "the size is old when it is used; hold a lock over both, or count in an atomic",
        );
    }
    if let Some(look) = first(&["contains_key", "contains", "has"])
        && after(look, WRITES)
    {
        return (
            "check-then-act",
            "use `entry` and act on what it finds, or hold one lock over both",
        );
    }
    if let Some(removed) = first(&["remove"])
        && after(removed, &["get", "look", "contains_key"])
    {
        return (
            "remove-then-use",
            "use what `remove` returns, not what is there afterwards",
        );
    }
    if let Some(look) = first(&["get", "look"])
        && after(look, WRITES)
    {
        return (
            "get-then-put",
            "use `entry`, or go on only with what the second call returns",
        );
    }
    if let Some(load) = first(&["load"])
        && after(load, &["store", "swap"])
    {
        return (
            "load-then-store",
            "use `fetch_update`, or `compare_exchange` in a loop",
        );
    }
    if let Some(load) = first(&["load", "compare_exchange"])
        && after(load, &["compare_exchange"])
    {
        return (
            "a lost compare-and-set",
            "look again when `compare_exchange` fails",
        );
    }
    let locks = of_method
        .iter()
        .filter(|told| does(told, &["lock", "read", "write"]));
    if locks.count() > 1 {
        return (
            "a value that left its lock",
            "hold one guard over all of it, or look again under the second",
        );
    }
    (
        "a method in several steps",
        "do it in one operation, or under one lock that the others take, too",
    )
}

const SIZES: &[&str] = &["len", "is_empty", "size"];

const WRITES: &[&str] = &[
    "insert",
    "remove",
    "put",
    "or_insert",
    "entry",
    "push",
    "pop",
    "clear",
    "store",
    "modify",
    "set",
    "take",
    "add",
    "write",
];
