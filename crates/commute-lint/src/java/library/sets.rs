//! Sets.

use super::rows::{Family, Row, reads, updates, writes};

/// `java.util.Set`, in the words of `hashset.ecl`.
pub(super) const ROWS: &[Row] = &[
    updates("add", "insert").key(1).checks().dropped("insert_"),
    updates("remove", "remove").key(1),
    reads("contains", "contains").key(1),
    reads("size", "len"),
    reads("isEmpty", "is_empty"),
    updates("clear", "clear"),
    reads("iterator", "snapshot").lends(),
    reads("descendingIterator", "snapshot").lends(),
    reads("spliterator", "snapshot").lends(),
    reads("stream", "snapshot").lends(),
    reads("parallelStream", "snapshot").lends(),
    reads("forEach", "snapshot"),
    reads("toArray", "snapshot"),
    reads("containsAll", "snapshot"),
    reads("first", "first").plain(),
    reads("last", "last").plain(),
    updates("pollFirst", "pop_first").plain(),
    updates("pollLast", "pop_last").plain(),
    writes("addAll", "add_all").plain(),
    updates("removeAll", "remove_all").plain(),
    updates("removeIf", "retain").plain(),
    updates("retainAll", "retain").plain(),
    reads("headSet", "snapshot").lends(),
    reads("tailSet", "snapshot").lends(),
    reads("subSet", "snapshot").lends(),
    reads("clone", "snapshot"),
    reads("toString", "snapshot"),
    reads("hashCode", "snapshot"),
    reads("equals", "snapshot"),
];

pub(super) fn family(class: &str) -> Option<Family> {
    let atomic = match class {
        "java/util/Set"
        | "java/util/AbstractSet"
        | "java/util/EnumSet"
        | "java/util/HashSet"
        | "java/util/LinkedHashSet"
        | "java/util/NavigableSet"
        | "java/util/SequencedSet"
        | "java/util/SortedSet"
        | "java/util/TreeSet" => false,
        "java/util/concurrent/ConcurrentSkipListSet"
        | "java/util/concurrent/CopyOnWriteArraySet"
        | "java/util/concurrent/ConcurrentHashMap$KeySetView" => true,
        _ => return None,
    };
    Some(Family {
        spec: Some("hashset"),
        atomic,
        rows: ROWS,
    })
}
