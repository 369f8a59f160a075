//! Text that changes.

use super::rows::{Family, Row, reads, updates, writes};

/// `StringBuilder` and `StringBuffer`. Most of their methods return the object.
const BUFFER: &[Row] = &[
    writes("append", "append").lends(),
    writes("appendCodePoint", "append").lends(),
    writes("insert", "insert").lends().key(1),
    writes("delete", "delete").lends().key(1),
    writes("deleteCharAt", "delete").lends().key(1),
    writes("replace", "replace").lends().key(1),
    updates("reverse", "reverse").lends(),
    writes("setCharAt", "set").key(1),
    writes("setLength", "truncate").key(1),
    reads("charAt", "get").key(1),
    reads("codePointAt", "get").key(1),
    reads("length", "len"),
    reads("capacity", "capacity"),
    reads("indexOf", "index_of"),
    reads("lastIndexOf", "index_of"),
    reads("substring", "get").key(1),
    reads("subSequence", "get").key(1),
    reads("getChars", "get").key(1),
    reads("toString", "get"),
    reads("compareTo", "get"),
];

pub(super) fn family(class: &str) -> Option<Family> {
    let atomic = match class {
        "java/lang/StringBuilder" | "java/lang/AbstractStringBuilder" => false,
        "java/lang/StringBuffer" | "java/io/StringWriter" => true,
        _ => return None,
    };
    Some(Family {
        spec: None,
        atomic,
        rows: BUFFER,
    })
}
