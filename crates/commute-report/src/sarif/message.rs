//! Texts as SARIF wants them.

use super::format::Message;

/// A message that shows `text` as it is.
///
/// Readers replace `{0}` in messages, so braces are doubled (section 3.11.5 of
/// the standard); and they make `[text](target)` a link (3.11.6), so brackets
/// and backslashes are escaped in a text that contains something like it. A
/// trace must not be able to put links into a report.
pub(super) fn message(text: &str) -> Message {
    let mut out = String::with_capacity(text.len());
    let link = text.contains("](");
    for c in text.chars() {
        match c {
            '{' | '}' => out.push(c),
            '[' | ']' | '\\' if link => out.push('\\'),
            _ => {}
        }
        out.push(c);
    }
    Message { text: out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_neither_a_placeholder_nor_a_link() {
        let check = |text: &str, expected: &str| assert_eq!(message(text).text, expected);
        check("o.put('a[0]',1)/nil", "o.put('a[0]',1)/nil");
        check("{0} and \\u{202e}", "{{0}} and \\u{{202e}}");
        check("[x](https://a)", "\\[x\\](https://a)");
        check("\\[x](1)", "\\\\\\[x\\](1)");
    }
}
