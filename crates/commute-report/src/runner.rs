//! Keeping runners of continuous integration from obeying text.
//!
//! A runner reads the log of a step line by line and obeys commands in it, whoever wrote them:
//! `::stop-commands::TOKEN` and `##[error]` (GitHub), `##vso[task.setvariable …]` (Azure
//! Pipelines). GitHub takes `::…` for a command where a line begins, after any white space;
//! all that begin with `##` count anywhere in a line. The comparisons of these runners follow
//! the rules of a language, by which characters without width do not count: they may stand
//! anywhere in a marker.
//!
//! Names in traces, in stored runs and in source code can contain such text. In text for
//! people the characters of a marker are set apart by a space. In documents they are written
//! in another way, which means the same to a reader.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// How the characters of a marker are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    /// By a space.
    Text,
    /// By an escape in a string of JSON. Lines of JSON begin with no colon.
    Json,
    /// By character references in XML.
    Xml,
}

/// Returns the text without anything that a runner of continuous integration takes for a
/// command. Other text stays as it is.
///
/// ```
/// use commute_report::runner::{Apart, tame};
///
/// assert_eq!(tame("  ::set-output name=x::1", Apart::Text), "  : :set-output name=x::1");
/// assert_eq!(tame("at ##[error]b::c", Apart::Text), "at # #[error]b::c");
/// assert_eq!(tame(r####"{"a":"##vso[x]"}"####, Apart::Json), r##"{"a":"#\u0023vso[x]"}"##);
/// ```
pub fn tame(text: &str, apart: Apart) -> Cow<'_, str> {
    if !may_have_marker(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for line in text.split_inclusive('\n') {
        match leading_colon(line).filter(|_| apart != Apart::Json) {
            None => push_apart(&mut out, line, apart),
            Some(at) => {
                out.push_str(&line[..at]);
                out.push_str(match apart {
                    Apart::Xml => "&#58;",
                    Apart::Text | Apart::Json => ": ",
                });
                push_apart(&mut out, &line[at + 1..], apart);
            }
        }
    }
    Cow::Owned(out)
}

/// Returns the text without markers that count anywhere in a line.
pub(crate) fn without_markers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_apart(&mut out, text, Apart::Text);
    out
}

/// Whether there can be a marker at all. Most text has neither.
fn may_have_marker(text: &str) -> bool {
    let mut last = ' ';
    text.chars().filter(|c| !is_without_width(*c)).any(|c| {
        let is_pair = matches!((last, c), (':', ':') | ('#', '#'));
        last = c;
        is_pair
    })
}

/// Where the first colon of a line is that begins with two of them. After three there is no
/// name of a command; excerpts have them before a file that continues another.
fn leading_colon(line: &str) -> Option<usize> {
    let mut seen = line.char_indices();
    let (at, _) = seen.find(|(_, c)| !c.is_whitespace() && !is_without_width(*c))?;
    let mut from = line[at..].chars().filter(|c| !is_without_width(*c));
    let is_pair = from.next() == Some(':') && from.next() == Some(':');
    (is_pair && from.next() != Some(':')).then_some(at)
}

/// Appends text with the second `#` of each marker set apart: of `##` with letters and a
/// bracket after it.
fn push_apart(out: &mut String, text: &str, apart: Apart) {
    // Where the first and the second `#` are that may begin a marker.
    let (mut first, mut second) = (None, None);
    let mut written = 0;
    for (at, c) in text.char_indices() {
        match c {
            '#' => (first, second) = (Some(at), first),
            '[' => {
                if let (Some(last), Some(_)) = (first, second) {
                    out.push_str(&text[written..last]);
                    out.push_str(match apart {
                        Apart::Text => " #",
                        Apart::Json => r"\u0023",
                        Apart::Xml => "&#35;",
                    });
                    written = last + 1;
                }
                (first, second) = (None, None);
            }
            c if is_without_width(c) => {}
            // A letter of the marker's word, if its beginning is there.
            c if c.is_alphanumeric() && second.is_some() => {}
            _ => (first, second) = (None, None),
        }
    }
    out.push_str(&text[written..]);
}

/// Whether comparisons by the rules of a language pass over a character. Control characters
/// stand in styled text only, and there with others that count.
fn is_without_width(c: char) -> bool {
    c.width() == Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_does_not_look_like_one() {
        let check = |text: &str, expected: &str| assert_eq!(tame(text, Apart::Text), expected);
        check(
            "a ##[error]b\n  ::set-output name=x::1\nc::d",
            "a # #[error]b\n  : :set-output name=x::1\nc::d",
        );
        check("::stop-commands::x", ": :stop-commands::x");
        check("\u{a0}\u{3000}\t::error::x", "\u{a0}\u{3000}\t: :error::x");
        check("\u{ad}:\u{200d}:error::x", "\u{ad}: \u{200d}:error::x");
        check(
            "x ##vso[task.setvariable variable=a]b",
            "x # #vso[task.setvariable variable=a]b",
        );
        check("###[x]", "## #[x]");
        check("#\u{ad}#vs\u{200d}o[x]", "#\u{ad} #vs\u{200d}o[x]");
        check("##[a]##[b]", "# #[a]# #[b]");
        check("\r\n::error::x\n", "\r\n: :error::x\n");
    }

    #[test]
    fn other_text_stays_as_it_is() {
        for text in [
            "",
            "std::sync::Mutex\n",
            "  --> a.rs:1:2\n   |\n1 | ::std::f()",
            ":a::b",
            "  --> a.rs:1:2\n  ::: b.rs:1 a::b\n:::error::x",
            ": :a",
            "## Heading\n\n[link]",
            "#[test]",
            "r##\"a\"##; b[1]",
            "# #[x]",
        ] {
            assert_eq!(tame(text, Apart::Text), text);
        }
    }

    #[test]
    fn documents_mean_the_same() {
        let json = tame(r##"{"a":"::x ##[y]"}"##, Apart::Json).into_owned();
        assert!(!json.contains("##"), "{json}");
        let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(value["a"], "::x ##[y]");
        assert_eq!(
            tame("<a>\n ::x ##[y]</a>", Apart::Xml),
            "<a>\n &#58;:x #&#35;[y]</a>"
        );
    }
}
