//! Collections: plain ones, which somebody locks, and concurrent ones.

use crate::ir::Operation;
use crate::rust::text::last;

/// What kind of collection a type is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Map,
    Set,
    Sequence,
    Maybe,
}

fn shape(class: &str) -> Option<(Shape, bool)> {
    // These call their maps as std does.
    let concurrent = ["scc::", "papaya::", "flurry::"];
    let concurrent = concurrent.iter().any(|start| class.starts_with(start));
    Some(match last(class) {
        "HashMap" | "BTreeMap" | "HashMapRef" if concurrent => (Shape::Map, true),
        "HashSet" | "HashSetRef" if concurrent => (Shape::Set, true),
        "HashMap" | "BTreeMap" | "IndexMap" | "FxHashMap" | "AHashMap" | "LruCache" | "Slab"
        | "LinkedHashMap" | "Map" => (Shape::Map, false),
        "DashMap" | "SkipMap" | "ConcurrentHashMap" | "Cache" | "HashIndex" | "TreeIndex"
        | "SccHashMap" => (Shape::Map, true),
        "HashSet" | "BTreeSet" | "IndexSet" | "FxHashSet" => (Shape::Set, false),
        "DashSet" | "SkipSet" => (Shape::Set, true),
        "Vec" | "VecDeque" | "BinaryHeap" | "LinkedList" | "String" | "SmallVec" | "ArrayVec" => {
            (Shape::Sequence, false)
        }
        "SegQueue" | "ArrayQueue" | "ConcurrentQueue" => (Shape::Sequence, true),
        "Option" => (Shape::Maybe, false),
        _ => return None,
    })
}

/// What a method of a collection does; `class` is its type with modules, without
/// arguments.
pub(crate) fn operation(class: &str, name: &str) -> Option<Operation> {
    let (shape, atomic) = shape(class)?;
    // Those of scc say how they wait.
    let name = match atomic {
        true => name.trim_end_matches("_sync").trim_end_matches("_async"),
        false => name,
    };
    let mut operation = match shape {
        Shape::Map => map(name)?,
        Shape::Set => set(name)?,
        Shape::Sequence => sequence(name)?,
        Shape::Maybe => maybe(name)?,
    };
    operation.atomic = atomic;
    Some(operation)
}

/// `mem::take`, `mem::replace`, `mem::swap`: what was there comes out.
pub(crate) fn taken(name: &str) -> Operation {
    let method = match name {
        "take" => "take",
        "swap" => "swap",
        _ => "replace",
    };
    both(method, None)
}

/// What is done with an entry that was found, or found missing.
pub(crate) fn decided(inserts: bool) -> Operation {
    let operation = checks(both("entry", None));
    match inserts {
        true => lends(operation),
        false => operation,
    }
}

const NOTHING: Operation = Operation {
    spec: None,
    method: "",
    reads: false,
    writes: false,
    atomic: false,
    key: None,
    checks: false,
    lends: false,
};

fn reads(method: &'static str, key: Option<usize>) -> Operation {
    Operation {
        method,
        reads: true,
        key,
        ..NOTHING
    }
}

fn both(method: &'static str, key: Option<usize>) -> Operation {
    Operation {
        method,
        reads: true,
        writes: true,
        key,
        ..NOTHING
    }
}

fn lends(operation: Operation) -> Operation {
    Operation {
        lends: true,
        ..operation
    }
}

fn checks(operation: Operation) -> Operation {
    Operation {
        checks: true,
        ..operation
    }
}

fn of(spec: &'static str, operation: Operation) -> Operation {
    Operation {
        spec: Some(spec),
        ..operation
    }
}

fn map(name: &str) -> Option<Operation> {
    let operation = match name {
        "get" | "peek" | "get_key_value" | "view" | "read" | "peek_with" => {
            lends(reads("get", Some(1)))
        }
        "get_mut" | "peek_mut" => lends(reads("get", Some(1))),
        "index" | "index_mut" => lends(reads("get", Some(1))),
        "contains_key" | "contains" => reads("contains_key", Some(1)),
        "len" => reads("len", None),
        "is_empty" => reads("is_empty", None),
        "insert" | "put" | "push" | "upsert" => both("insert", Some(1)),
        "remove" | "pop" | "swap_remove" | "shift_remove" | "remove_entry" | "invalidate" => {
            both("remove", Some(1))
        }
        "remove_if" | "remove_if_mut" | "try_insert" | "get_or_insert_with" | "get_with"
        | "compare_insert" | "get_or_insert" | "update" => checks(both("entry", Some(1))),
        "entry" | "try_entry" | "entry_ref" | "raw_entry_mut" | "vacant_entry" => {
            lends(checks(both("entry", Some(1))))
        }
        "clear" | "retain" | "drain" | "extend" | "append" | "pop_lru" | "pop_first"
        | "pop_last" => both("clear", None),
        "iter" | "keys" | "values" | "range" | "first_key_value" | "last_key_value" | "first"
        | "last" | "front" | "back" => lends(reads("iter", None)),
        "iter_mut" | "values_mut" => lends(reads("iter", None)),
        _ => return None,
    };
    Some(of("map", operation))
}

fn set(name: &str) -> Option<Operation> {
    let operation = match name {
        "contains" | "get" => reads("contains", Some(1)),
        "len" => reads("len", None),
        "is_empty" => reads("is_empty", None),
        "insert" | "replace" => both("insert", Some(1)),
        "remove" | "take" => both("remove", Some(1)),
        "clear" | "retain" | "drain" | "extend" => both("clear", None),
        "iter" | "first" | "last" | "range" => lends(reads("iter", None)),
        _ => return None,
    };
    Some(of("set", operation))
}

fn sequence(name: &str) -> Option<Operation> {
    Some(match name {
        "len" => reads("len", None),
        "is_empty" | "is_full" => reads("is_empty", None),
        "get" | "get_mut" | "index" | "index_mut" => lends(reads("get", Some(1))),
        "contains" | "binary_search" | "starts_with" => reads("contains", Some(1)),
        "iter" | "first" | "last" | "front" | "back" | "peek" | "iter_mut" | "last_mut"
        | "first_mut" | "front_mut" | "back_mut" | "as_slice" => lends(reads("iter", None)),
        "push" | "push_back" | "push_front" | "push_str" => both("push", None),
        "pop" | "pop_front" | "pop_back" | "pop_if" => both("pop", None),
        "insert" => both("insert", Some(1)),
        "remove" | "swap_remove" | "split_off" | "swap_remove_back" => both("remove", Some(1)),
        "truncate" | "drain" | "resize" => both("truncate", Some(1)),
        "clear" | "retain" | "extend" | "append" | "dedup" | "sort" | "sort_by" | "sort_by_key"
        | "extend_from_slice" | "reverse" | "retain_mut" | "sort_unstable" => both("clear", None),
        _ => return None,
    })
}

fn maybe(name: &str) -> Option<Operation> {
    Some(match name {
        "is_some" | "is_none" => reads("is_some", None),
        "take" => both("take", None),
        "replace" | "insert" => both("replace", None),
        "get_or_insert_with" | "get_or_insert" => lends(checks(both("get_or_insert", None))),
        _ => return None,
    })
}
