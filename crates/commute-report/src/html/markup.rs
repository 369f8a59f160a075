//! Writing markup so that nothing from outside can become any.

use std::fmt::{Display, Write};

use serde::Serialize;

use crate::untrusted::{clip, visible};

/// Of a longer text a short form comes first.
const LONG: usize = 400;
/// Nobody reads more.
const LONGEST: usize = 10_000;

/// HTML in the making. Markup is known when this crate is compiled; everything
/// else goes through [`text`](Markup::text) and is shown, never obeyed.
#[derive(Default)]
pub(super) struct Markup {
    out: String,
}

impl Markup {
    /// Appends markup.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Markup {
        self.out.push_str(markup);
        self
    }

    /// Appends text, also as the value of an attribute in quotes. What would
    /// not be seen is spelled out.
    pub(super) fn text(&mut self, text: &str) -> &mut Markup {
        for c in visible(text).chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                c => self.out.push(c),
            }
        }
        self
    }

    /// Appends what is shown as text.
    pub(super) fn show(&mut self, value: impl Display) -> &mut Markup {
        self.text(&value.to_string())
    }

    /// Appends [`prose_of`](Markup::prose_of) of several lines.
    pub(super) fn lines(&mut self, text: &str, names: &[&str]) -> &mut Markup {
        for (i, line) in text.lines().enumerate() {
            if i > 0 {
                self.raw("<br>");
            }
            self.prose_of(line, names);
        }
        self
    }

    /// Appends text in which `` `words` `` are code.
    pub(super) fn prose(&mut self, text: &str) -> &mut Markup {
        self.prose_of(text, &[])
    }

    /// Appends text in which `` `words` `` are code. These names are not taken apart,
    /// whatever backticks they have in themselves, in backticks or not.
    pub(super) fn prose_of(&mut self, text: &str, names: &[&str]) -> &mut Markup {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('`') {
            // A name that begins before this backtick has it in itself.
            let bare = { names.iter() }
                .filter_map(|name| Some((rest.find(name)?, name.len())))
                .filter(|(at, _)| *at <= before.len())
                .min_by_key(|(at, length)| (*at, std::cmp::Reverse(*length)));
            if let Some((at, length)) = bare {
                self.text(&rest[..at + length]);
                rest = &rest[at + length..];
                continue;
            }
            self.text(before);
            let known = names.iter().find_map(|name| {
                let end = after.strip_prefix(name)?.strip_prefix('`')?;
                Some((*name, end))
            });
            let Some((code, end)) = known.or_else(|| after.split_once('`')) else {
                // A last backtick without a partner stands for itself.
                rest = after;
                self.text("`");
                break;
            };
            self.raw("<code>").text(code).raw("</code>");
            rest = end;
        }
        self.text(rest)
    }

    /// Appends a text that may be long: its beginning and end, and all of it for who asks.
    pub(super) fn long(&mut self, text: &str) -> &mut Markup {
        if text.len() <= LONG {
            return self.text(text);
        }
        self.text(&clip(text, LONG));
        self.raw("<details><summary>all of it</summary>");
        self.text(&clip(text, LONGEST)).raw("</details>")
    }

    /// Appends other markup.
    pub(super) fn append(&mut self, other: Markup) -> &mut Markup {
        self.out.push_str(&other.out);
        self
    }

    /// Appends an attribute to a tag that is not closed yet.
    pub(super) fn set(&mut self, name: &'static str, value: impl Display) -> &mut Markup {
        self.raw(" ").raw(name).raw("=\"").show(value).raw("\"")
    }

    /// Appends data for a script, in which nothing can end the element it is in.
    pub(super) fn json(&mut self, data: &impl Serialize) -> &mut Markup {
        // Numbers and texts always become JSON.
        let text = serde_json::to_string(data).unwrap_or_default();
        for c in text.chars() {
            match c {
                '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                    let _ = write!(self.out, "\\u{:04x}", c as u32);
                }
                c => self.out.push(c),
            }
        }
        self
    }

    /// The markup.
    pub(super) fn finish(self) -> String {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(text: &str) -> String {
        let mut markup = Markup::default();
        markup.prose(text);
        markup.finish()
    }

    #[test]
    fn text_is_never_markup() {
        let mut markup = Markup::default();
        markup.text("<script>alert('x')</script>&\" onload=\x1b\u{202e}");
        assert_eq!(
            markup.finish(),
            r"&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot; onload=\x1b\u{202e}"
        );
    }

    #[test]
    fn names_keep_their_backticks() {
        let mut markup = Markup::default();
        markup.prose_of("race on `a`b`c`: `w` and `w`", &["a`b`c"]);
        assert_eq!(
            markup.finish(),
            "race on <code>a`b`c</code>: <code>w</code> and <code>w</code>"
        );
        let mut markup = Markup::default();
        markup.prose_of("both touch a`b`c:w, `x`, `a`b`c` and `y`", &["a`b`c"]);
        assert_eq!(
            markup.finish(),
            "both touch a`b`c:w, <code>x</code>, <code>a`b`c</code> and <code>y</code>"
        );
    }

    #[test]
    fn words_in_backticks_are_code() {
        assert_eq!(
            prose("race on `o`: `put`"),
            "race on <code>o</code>: <code>put</code>"
        );
        assert_eq!(prose("a ` b"), "a ` b");
        assert_eq!(prose("`<b>` c `d"), "<code>&lt;b&gt;</code> c `d");
        assert_eq!(prose(""), "");
    }
}
