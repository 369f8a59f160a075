//! Writing markup so that nothing from outside can become any.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use serde::Serialize;

use crate::untrusted::{clip, visible};

/// Of a longer text a short form comes first.
const LONG: usize = 400;
/// Nobody reads more.
const LONGEST: usize = 10_000;
/// Of so many names a text is searched for those that are in it, the first ones.
const MOST_NAMES: usize = 64;

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
        let found = occurrences(names, text);
        // The text before this place is written.
        let mut at = 0;
        while let Some(tick) = text[at..].find('`').map(|length| at + length) {
            // A name that begins before this backtick has it in itself.
            if let Some((start, lengths)) = found.range(at..=tick).next() {
                let end = start + lengths.iter().max().unwrap_or(&0);
                self.text(&text[at..end]);
                at = end;
                continue;
            }
            self.text(&text[at..tick]);
            let start = tick + 1;
            let lengths = found.get(&start).into_iter().flatten();
            let mut ends = lengths.map(|length| start + length);
            let known = ends.find(|end| text[*end..].starts_with('`'));
            let next = || Some(start + text[start..].find('`')?);
            let Some(end) = known.or_else(next) else {
                // A last backtick without a partner stands for itself.
                self.text("`");
                at = start;
                break;
            };
            self.raw("<code>").text(&text[start..end]).raw("</code>");
            at = end + 1;
        }
        self.text(&text[at..])
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

/// Where names begin that have a backtick in themselves, with the lengths of those that
/// begin there in the order of the names. Other names need no attention: they end before a
/// backtick.
///
/// Each name costs at most as much as the text is long, whatever the two look like: it is
/// looked for by the algorithm of Knuth, Morris and Pratt.
fn occurrences(names: &[&str], text: &str) -> BTreeMap<usize, Vec<usize>> {
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    if !text.contains('`') {
        return found;
    }
    let fits = |name: &&&str| name.len() <= text.len() && name.contains('`');
    for name in names.iter().filter(fits).take(MOST_NAMES) {
        for start in starts(name.as_bytes(), text.as_bytes()) {
            found.entry(start).or_default().push(name.len());
        }
    }
    found
}

/// The places at which a word, which is not empty, begins in a text.
fn starts(word: &[u8], text: &[u8]) -> Vec<usize> {
    // Of each beginning of the word: how long a shorter beginning is that it ends with.
    let mut borders = vec![0; word.len() + 1];
    let mut border = 0;
    for end in 1..word.len() {
        while border > 0 && word[border] != word[end] {
            border = borders[border];
        }
        border += usize::from(word[border] == word[end]);
        borders[end + 1] = border;
    }
    let mut found = Vec::new();
    let mut matched = 0;
    for (at, byte) in text.iter().enumerate() {
        while matched > 0 && word.get(matched) != Some(byte) {
            matched = borders[matched];
        }
        matched += usize::from(word[matched] == *byte);
        if matched == word.len() {
            found.push(at + 1 - matched);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition: names and code by searching from each backtick anew.
    fn searched(text: &str, names: &[&str]) -> String {
        let mut html = Markup::default();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('`') {
            let bare = { names.iter() }
                .filter_map(|name| Some((rest.find(name)?, name.len())))
                .filter(|(at, _)| *at <= before.len())
                .min_by_key(|(at, length)| (*at, std::cmp::Reverse(*length)));
            if let Some((at, length)) = bare {
                html.text(&rest[..at + length]);
                rest = &rest[at + length..];
                continue;
            }
            html.text(before);
            let known = names.iter().find_map(|name| {
                let end = after.strip_prefix(name)?.strip_prefix('`')?;
                Some((*name, end))
            });
            let Some((code, end)) = known.or_else(|| after.split_once('`')) else {
                html.text("`");
                rest = after;
                break;
            };
            html.raw("<code>").text(code).raw("</code>");
            rest = end;
        }
        html.text(rest);
        html.finish()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn names_are_found_as_by_searching_for_each(
            text in "[`aé]{0,24}",
            names in prop::collection::vec("[`aé]{0,3}`[`aé]{0,3}", 0..4),
        ) {
            let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
            names.sort_by_key(|name| std::cmp::Reverse(name.len()));
            let mut html = Markup::default();
            html.prose_of(&text, &names);
            prop_assert_eq!(html.finish(), searched(&text, &names));
        }
    }

    /// Searching for the name again at each backtick would take hours.
    #[test]
    fn backticks_in_long_names_cost_as_much_as_other_characters() {
        let long = "`a".repeat(1_000_000);
        let name = long.clone() + "`b";
        let text = format!("{long} {}", "``a`".repeat(100_000));
        let mut html = Markup::default();
        html.prose_of(&text, &[&name, &name[1..], &text[1..text.len() - 1]]);
        let shown = html.finish().replace("<code>", "`").replace("</code>", "`");
        assert_eq!(shown.len(), text.len());
    }

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
