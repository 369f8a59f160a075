//! What a method does, by its name.

use super::Called;
use crate::ir::{Effect, Operation};

/// Names, or beginnings of names, of methods that change their object.
const WRITES: &[&str] = &[
    "accept",
    "add",
    "append",
    "cancel",
    "clear",
    "close",
    "compareAndSet",
    "countDown",
    "decrement",
    "delete",
    "disable",
    "disconnect",
    "drain",
    "enable",
    "enqueue",
    "fill",
    "flip",
    "flush",
    "increment",
    "init",
    "insert",
    "mark",
    "merge",
    "move",
    "offer",
    "open",
    "poll",
    "pop",
    "push",
    "print",
    "put",
    "read",
    "register",
    "release",
    "remove",
    "rename",
    "replace",
    "reset",
    "resize",
    "retain",
    "reverse",
    "rotate",
    "seek",
    "set",
    "shuffle",
    "shutdown",
    "skip",
    "sort",
    "store",
    "swap",
    "take",
    "trim",
    "truncate",
    "unregister",
    "update",
    "write",
];

/// The same for methods that look.
const READS: &[&str] = &[
    "available",
    "can",
    "capacity",
    "charAt",
    "compare",
    "contains",
    "copyOf",
    "count",
    "describe",
    "elementAt",
    "empty",
    "ends",
    "entrySet",
    "equals",
    "exists",
    "find",
    "first",
    "forEach",
    "get",
    "has",
    "hashCode",
    "index",
    "is",
    "iterator",
    "keySet",
    "last",
    "length",
    "list",
    "lookup",
    "matches",
    "max",
    "min",
    "name",
    "ordinal",
    "peek",
    "remaining",
    "size",
    "starts",
    "stream",
    "sub",
    "sum",
    "test",
    "to",
    "values",
    "version",
];

/// The same for methods without an object that make one.
const MAKES: &[&str] = &[
    "all", "allocate", "create", "decode", "encode", "for", "format", "from", "load", "new",
    "none", "of", "parse", "resolve", "value", "wrap",
];

/// What a method does whose class no table has.
pub(super) fn effect(called: &Called<'_>, atomic: bool) -> Effect {
    let writes = begins(called.name, WRITES);
    let reads = begins(called.name, READS);
    if called.is_static {
        return match (reads, begins(called.name, MAKES)) {
            (_, true) => Effect::Wrap,
            (true, _) => Effect::Pure,
            _ => Effect::Unknown,
        };
    }
    if !(writes || reads) {
        return Effect::Unknown;
    }
    Effect::Operation(Operation {
        spec: None,
        method: if writes { "write" } else { "read" },
        reads: !writes,
        writes,
        atomic,
        key: None,
        checks: false,
        lends: false,
    })
}

/// Whether a name is one of these, or goes on with a new word after it:
/// `setName` and `set`, not `settle`.
fn begins(name: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        name.strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_lowercase()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words() {
        assert!(begins("setName", WRITES));
        assert!(begins("set", WRITES));
        assert!(!begins("settle", WRITES));
        assert!(begins("isOpen", READS));
        assert!(!begins("issue", READS));
    }
}
