//! Maps.

use super::rows::{Family, Row, reads, updates, writes};

/// `java.util.Map`, in the words of `map.ecl`.
pub(super) const ROWS: &[Row] = &[
    reads("get", "get").key(1),
    reads("getOrDefault", "get").key(1),
    reads("getProperty", "get").key(1),
    reads("containsKey", "contains_key").key(1),
    reads("containsValue", "snapshot"),
    reads("contains", "snapshot").of(1),
    updates("put", "insert").key(1).dropped("insert_"),
    updates("setProperty", "insert").key(1).dropped("insert_"),
    updates("putIfAbsent", "or_insert").key(1).checks(),
    updates("computeIfAbsent", "or_insert").key(1).checks(),
    updates("computeIfPresent", "modify").key(1).checks(),
    updates("compute", "modify").key(1).checks(),
    updates("merge", "modify").key(1).checks(),
    updates("remove", "remove").of(1).key(1).dropped("remove_"),
    updates("remove", "remove_if").of(2).key(1).checks(),
    updates("replace", "cas").of(3).key(1).checks(),
    updates("replace", "modify").of(2).key(1).checks(),
    reads("size", "len"),
    reads("mappingCount", "len"),
    reads("isEmpty", "is_empty"),
    writes("clear", "clear_"),
    writes("putAll", "put_all").plain(),
    updates("replaceAll", "replace_all").plain(),
    reads("forEach", "snapshot"),
    reads("keySet", "snapshot").lends(),
    reads("values", "snapshot").lends(),
    reads("entrySet", "snapshot").lends(),
    reads("keys", "snapshot").lends(),
    reads("elements", "snapshot").lends(),
    reads("navigableKeySet", "snapshot").lends(),
    reads("descendingMap", "snapshot").lends(),
    reads("headMap", "snapshot").lends(),
    reads("tailMap", "snapshot").lends(),
    reads("subMap", "snapshot").lends(),
    reads("firstKey", "first").plain(),
    reads("lastKey", "last").plain(),
    reads("firstEntry", "first").plain(),
    reads("lastEntry", "last").plain(),
    reads("floorKey", "floor").plain().key(1),
    reads("ceilingKey", "ceiling").plain().key(1),
    reads("lowerKey", "lower").plain().key(1),
    reads("higherKey", "higher").plain().key(1),
    updates("pollFirstEntry", "pop_first").plain(),
    updates("pollLastEntry", "pop_last").plain(),
    reads("clone", "snapshot"),
    reads("toString", "snapshot"),
    reads("hashCode", "snapshot"),
    reads("equals", "snapshot"),
];

pub(super) fn family(class: &str) -> Option<Family> {
    let atomic = match class {
        "java/util/Map"
        | "java/util/AbstractMap"
        | "java/util/Dictionary"
        | "java/util/EnumMap"
        | "java/util/HashMap"
        | "java/util/IdentityHashMap"
        | "java/util/LinkedHashMap"
        | "java/util/NavigableMap"
        | "java/util/SequencedMap"
        | "java/util/SortedMap"
        | "java/util/TreeMap"
        | "java/util/WeakHashMap" => false,
        "java/util/Hashtable"
        | "java/util/Properties"
        | "java/util/concurrent/ConcurrentHashMap"
        | "java/util/concurrent/ConcurrentMap"
        | "java/util/concurrent/ConcurrentNavigableMap"
        | "java/util/concurrent/ConcurrentSkipListMap" => true,
        _ => return None,
    };
    Some(Family {
        spec: Some("map"),
        atomic,
        rows: ROWS,
    })
}
