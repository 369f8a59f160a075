//! What constants point to. Only statics are of interest.

use rustc_hash::FxHashSet;

use super::parse::Parser;

/// `alloc4 (static: S, size: 32, align: 8) {`, with the bytes that follow.
pub(super) fn allocation<'a>(
    parser: &mut Parser<'a>,
    line: &'a str,
    statics: &mut FxHashSet<&'a str>,
) {
    let Some((name, what)) = line.split_once(" (") else {
        parser.unknown(line, 0, "an allocation", None);
        return;
    };
    if let Some(path) = static_path(what)
        && statics.insert(name)
    {
        let known = (name.to_owned(), path.to_owned());
        parser.mir.statics.push(known);
    }
    if what.ends_with(") {") {
        bytes(parser);
    } else if !what.ends_with(") {}") && !what.ends_with(')') {
        parser.unknown(line, line.len(), ")", None);
    }
}

/// The path of a static: of `static: S, size: 32, align: 8) {` it is `S`.
fn static_path(what: &str) -> Option<&str> {
    if let Some(path) = what.strip_prefix("extern static: ") {
        return path.strip_suffix(')');
    }
    let rest = what.strip_prefix("static: ")?;
    let end = rest.rfind(", size: ").or_else(|| rest.rfind(", error"))?;
    Some(&rest[..end])
}

/// Lines of bytes, up to the closing brace.
fn bytes(parser: &mut Parser<'_>) {
    while let Some(line) = parser.lines.next() {
        if line == "}" {
            return;
        }
        if !line.starts_with("    ") {
            parser.unknown(line, 0, "}", None);
            parser.lines.back();
            return;
        }
        if !line.contains('│') {
            parser.unknown(line, 0, "bytes of an allocation", None);
        }
    }
    parser.unknown("", 0, "}", None);
}
