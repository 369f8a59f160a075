//! Making text from traces and files safe to show.
//!
//! A terminal obeys what it is sent. A thread named `\x1b]0;…` would set the
//! window title, a direction override would show an action backwards. Every
//! such character is spelled out instead.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Whether `c` does something other than showing itself: control characters
/// (C0, DEL and C1, which some terminals obey too), direction overrides and
/// marks, line and paragraph separators, invisible tags, what XML forbids, and
/// the private characters that [`crate::origin`] uses as place holders.
pub(crate) fn is_hostile(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{e000}'..='\u{f8ff}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}'
        | '\u{e0000}'..='\u{e007f}')
}

/// Appends `c`, spelled out if it is hostile.
pub(crate) fn push_visible(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\r' => out.push_str("\\r"),
        c if !is_hostile(c) => out.push(c),
        c if c.is_ascii() => write_to(out, format_args!("\\x{:02x}", c as u32)),
        c => write_to(out, format_args!("\\u{{{:x}}}", c as u32)),
    }
}

fn write_to(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string succeeds");
}

/// The text with every character that a terminal would act on spelled out:
/// `\x1b`, `\n`, `\u{202e}`. One line in, one line out.
///
/// ```
/// assert_eq!(commute_report::visible("T1\x1b[2J"), r"T1\x1b[2J");
/// assert_eq!(commute_report::visible("größe"), "größe");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hostile) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        push_visible(&mut out, c);
    }
    Cow::Owned(out)
}

/// [`visible`] text that keeps its lines.
///
/// ```
/// assert_eq!(commute_report::visible_lines("a\r\nb\x1b"), "a\nb\\x1b");
/// ```
pub fn visible_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(visible).collect();
    lines.join("\n")
}

/// [`visible`] text of at most about `limit` characters: of a longer one the
/// beginning and the end are kept.
///
/// ```
/// assert_eq!(commute_report::clip("o.put('aaaaaaaaaaaaaaaaaaaa',1)/nil", 20), "o.put('aaaa…',1)/nil");
/// ```
pub fn clip(text: &str, limit: usize) -> Cow<'_, str> {
    let limit = limit.max(1);
    // Bytes bound characters from above, so short texts are not counted.
    if text.len() <= limit || text.chars().nth(limit).is_none() {
        return visible(text);
    }
    let tail = limit * 2 / 5;
    let head = limit - tail - 1;
    let head_end = text.char_indices().nth(head).map_or(text.len(), |(i, _)| i);
    let tail_start = match tail.checked_sub(1) {
        Some(n) => text.char_indices().rev().nth(n).map_or(0, |(i, _)| i),
        None => text.len(),
    };
    let (head, tail) = (visible(&text[..head_end]), visible(&text[tail_start..]));
    Cow::Owned(format!("{head}…{tail}"))
}

/// [`clip`] for remarks, which may have several lines; at most `lines` of them
/// are kept.
pub fn clip_lines(text: &str, limit: usize, lines: usize) -> String {
    let mut out = String::new();
    for (i, line) in text.lines().enumerate() {
        if i == lines {
            out.push_str("\n…");
            break;
        }
        if i > 0 {
            out.push('\n');
        }
        out.push_str(&clip(line, limit));
    }
    out
}

/// The beginning of a text, with a sign that there is more, if all of it is wider than
/// so many columns of the screen.
pub fn narrow(text: &str, columns: usize) -> Cow<'_, str> {
    if text.width() <= columns {
        return Cow::Borrowed(text);
    }
    let mut width = 1;
    let fits = |c: &char| {
        width += c.width().unwrap_or(0);
        width <= columns
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_spelled_out() {
        let check = |text: &str, expected: &str| assert_eq!(visible(text), expected);
        check("plain", "plain");
        check("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m");
        check("a\r\nb\tc\0", r"a\r\nb\tc\x00");
        check("\u{9b}31m\u{7f}", r"\u{9b}31m\x7f");
        check("\u{202e}txt\u{2066}", r"\u{202e}txt\u{2066}");
        check("\u{e000}7", r"\u{e000}7");
        check("日本 é 👩‍💻", "日本 é 👩‍💻");
    }

    #[test]
    fn long_texts_keep_both_ends() {
        let long = "é".repeat(1000);
        let cut = clip(&long, 20);
        assert_eq!(cut.chars().count(), 20);
        assert!(cut.contains('…'));
        for limit in 0..40 {
            let cut = clip("abcdefghijklmnopqrstuvwxyz", limit);
            assert!(cut.chars().count() <= limit.max(1), "{limit}: {cut}");
        }
        assert_eq!(clip("short", 5), "short");
    }

    #[test]
    fn remarks_keep_their_lines_up_to_a_bound() {
        assert_eq!(clip_lines("a\nb\x07", 9, 3), "a\nb\\x07");
        assert_eq!(clip_lines("a\nb\nc\nd", 9, 2), "a\nb\n…");
    }
}
