//! Lists, queues, stacks and heaps, and what iterates over them.

use super::rows::{Family, Row, reads, updates, writes};

/// `java.util.List`, in the words of `vec.ecl`.
pub(super) const LIST: &[Row] = &[
    writes("add", "push").of(1),
    writes("addElement", "push"),
    writes("add", "insert").of(2).key(1).plain(),
    writes("insertElementAt", "insert").key(2).plain(),
    reads("get", "get").key(1),
    reads("elementAt", "get").key(1),
    updates("set", "set").key(1),
    updates("setElementAt", "set").key(2),
    reads("size", "len"),
    reads("isEmpty", "is_empty").plain(),
    reads("contains", "contains").plain().key(1),
    reads("containsAll", "contains").plain(),
    reads("indexOf", "index_of").plain().key(1),
    reads("lastIndexOf", "index_of").plain().key(1),
    updates("remove", "remove").plain().key(1),
    updates("removeElement", "remove").plain().key(1),
    updates("removeElementAt", "remove").plain().key(1),
    updates("removeFirst", "remove").plain(),
    updates("removeLast", "remove").plain(),
    reads("getFirst", "first").plain(),
    reads("getLast", "last").plain(),
    reads("firstElement", "first").plain(),
    reads("lastElement", "last").plain(),
    writes("clear", "clear").plain(),
    writes("removeAllElements", "clear").plain(),
    writes("addAll", "add_all").plain(),
    updates("removeAll", "remove_all").plain(),
    updates("removeIf", "retain").plain(),
    updates("retainAll", "retain").plain(),
    updates("replaceAll", "replace_all").plain(),
    updates("sort", "sort").plain(),
    reads("forEach", "iterate").plain(),
    reads("iterator", "iterate").plain().lends(),
    reads("listIterator", "iterate").plain().lends(),
    reads("elements", "iterate").plain().lends(),
    reads("stream", "iterate").plain().lends(),
    reads("parallelStream", "iterate").plain().lends(),
    reads("subList", "iterate").plain().lends(),
    reads("toArray", "iterate").plain(),
    writes("copyInto", "iterate").plain(),
    reads("capacity", "capacity").plain(),
    writes("ensureCapacity", "reserve").plain(),
    writes("trimToSize", "reserve").plain(),
    reads("clone", "iterate").plain(),
    reads("toString", "iterate").plain(),
    reads("hashCode", "iterate").plain(),
    reads("equals", "iterate").plain(),
];

/// `java.util.Queue` and the two ends of a deque, in the words of `queue.ecl`
/// as far as it is used as a queue.
pub(super) const QUEUE: &[Row] = &[
    writes("add", "push").of(1),
    writes("addLast", "push"),
    writes("offer", "push"),
    writes("offerLast", "push"),
    writes("put", "push"),
    writes("putLast", "push"),
    writes("transfer", "push"),
    updates("poll", "pop"),
    updates("pollFirst", "pop"),
    updates("take", "pop"),
    updates("takeFirst", "pop"),
    updates("remove", "pop").of(0),
    updates("removeFirst", "pop"),
    updates("pop", "pop"),
    reads("peek", "peek"),
    reads("peekFirst", "peek"),
    reads("element", "peek"),
    reads("getFirst", "peek"),
    reads("size", "len"),
    reads("isEmpty", "is_empty"),
    writes("addFirst", "push_front").plain(),
    writes("offerFirst", "push_front").plain(),
    writes("putFirst", "push_front").plain(),
    writes("push", "push_front").plain(),
    updates("pollLast", "pop_back").plain(),
    updates("removeLast", "pop_back").plain(),
    updates("takeLast", "pop_back").plain(),
    reads("peekLast", "last").plain(),
    reads("getLast", "last").plain(),
    writes("add", "insert").of(2).key(1).plain(),
    reads("get", "get").key(1).plain(),
    updates("set", "set").key(1).plain(),
    updates("remove", "remove").of(1).plain().key(1),
    reads("contains", "contains").plain().key(1),
    reads("remainingCapacity", "capacity").plain(),
    writes("clear", "clear").plain(),
    writes("addAll", "add_all").plain(),
    updates("removeAll", "remove_all").plain(),
    updates("removeIf", "retain").plain(),
    updates("drainTo", "drain").plain(),
    reads("forEach", "iterate").plain(),
    reads("iterator", "iterate").plain().lends(),
    reads("listIterator", "iterate").plain().lends(),
    reads("descendingIterator", "iterate").plain().lends(),
    reads("stream", "iterate").plain().lends(),
    reads("toArray", "iterate").plain(),
    reads("toString", "iterate").plain(),
];

/// `java.util.Stack`, in the words of `stack.ecl`; the rest is a list.
pub(super) const STACK: &[Row] = &[
    writes("push", "push"),
    writes("add", "push").of(1),
    writes("addElement", "push"),
    updates("pop", "pop"),
    reads("peek", "peek"),
    reads("size", "len"),
    reads("empty", "is_empty"),
    reads("isEmpty", "is_empty"),
    reads("search", "search").plain().key(1),
    reads("get", "get").plain().key(1),
    reads("elementAt", "get").plain().key(1),
    reads("iterator", "iterate").plain().lends(),
    reads("stream", "iterate").plain().lends(),
];

/// `java.util.PriorityQueue`, in the words of `priority_queue.ecl`.
pub(super) const HEAP: &[Row] = &[
    writes("add", "push"),
    writes("offer", "push"),
    writes("put", "push"),
    updates("poll", "pop_min"),
    updates("take", "pop_min"),
    updates("remove", "pop_min").of(0),
    reads("peek", "peek"),
    reads("element", "peek"),
    reads("size", "len"),
    reads("isEmpty", "is_empty").plain(),
    updates("remove", "remove").of(1).plain().key(1),
    reads("contains", "contains").plain().key(1),
    writes("clear", "clear").plain(),
    reads("iterator", "iterate").plain().lends(),
];

/// What iterates looks at the collection; where it stands is its own affair.
const ITERATOR: &[Row] = &[
    reads("hasNext", "iterate").plain(),
    reads("hasPrevious", "iterate").plain(),
    reads("hasMoreElements", "iterate").plain(),
    reads("next", "iterate").plain().lends(),
    reads("previous", "iterate").plain().lends(),
    reads("nextElement", "iterate").plain().lends(),
    reads("nextIndex", "iterate").plain(),
    reads("getKey", "iterate").plain(),
    reads("getValue", "iterate").plain().lends(),
    writes("setValue", "set").plain(),
    writes("set", "set").plain(),
    writes("add", "insert").plain(),
    writes("remove", "remove").plain(),
];

pub(super) fn family(class: &str) -> Option<Family> {
    let name = class.strip_prefix("java/util/")?;
    let (spec, rows, atomic) = match name {
        "Collection"
        | "SequencedCollection"
        | "AbstractCollection"
        | "List"
        | "AbstractList"
        | "ArrayList" => (Some("vec"), LIST, false),
        "Vector" | "concurrent/CopyOnWriteArrayList" => (Some("vec"), LIST, true),
        "Queue" | "Deque" | "ArrayDeque" | "LinkedList" => (Some("queue"), QUEUE, false),
        "concurrent/ArrayBlockingQueue"
        | "concurrent/BlockingDeque"
        | "concurrent/BlockingQueue"
        | "concurrent/ConcurrentLinkedDeque"
        | "concurrent/ConcurrentLinkedQueue"
        | "concurrent/LinkedBlockingDeque"
        | "concurrent/LinkedBlockingQueue"
        | "concurrent/LinkedTransferQueue"
        | "concurrent/SynchronousQueue"
        | "concurrent/TransferQueue" => (Some("queue"), QUEUE, true),
        "Stack" => (Some("stack"), STACK, true),
        "PriorityQueue" => (Some("priority_queue"), HEAP, false),
        "concurrent/PriorityBlockingQueue" | "concurrent/DelayQueue" => {
            (Some("priority_queue"), HEAP, true)
        }
        "Iterator" | "ListIterator" | "Enumeration" | "Map$Entry" => (None, ITERATOR, false),
        _ => return None,
    };
    Some(Family { spec, atomic, rows })
}
