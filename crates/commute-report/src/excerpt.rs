//! Excerpts of source text, cleaned and cut.
//!
//! An excerpt holds the marked lines of one file and as little else as the
//! renderer needs to number them. Lines are cut around their marks before the
//! renderer sees them: a file may be one line of ten megabytes. And the renderer
//! cuts what is beside a mark, but never a mark that is wider than the terminal, and
//! all lines of an excerpt at the same column.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Snippet};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::untrusted::push_visible;

/// A line with more bytes than this is cut.
const LONG_LINE: usize = 600;
/// How many characters are kept on either side of the marks of a cut line.
const CONTEXT: usize = 80;
/// How many characters of a marked text are kept in a cut line.
const LONG_MARK: usize = 160;
/// Lines further apart than this are shown in excerpts of their own.
pub(crate) const MAX_GAP: usize = 2_000;

/// A place in a line, and what to say about it.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    /// The line, counted from 1.
    pub(crate) line: usize,
    /// The bytes of the line that are meant.
    pub(crate) span: Range<usize>,
    /// What to write under them, safe to show; may be empty.
    pub(crate) label: String,
    /// Whether it is what the report is about.
    pub(crate) primary: bool,
}

/// Marked lines, ready for the renderer.
pub(crate) struct Excerpt {
    source: String,
    first_line: usize,
    marks: Vec<(Range<usize>, String, bool)>,
    /// How many columns a line and what is said about it may have.
    room: Room,
}

/// How many columns there are for a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    columns: usize,
    /// Whether the renderer cannot be trusted to cut lines: there are several marks.
    is_shared: bool,
}

impl Room {
    /// As much as there is to show.
    pub(crate) const ANY: Room = Room {
        columns: usize::MAX,
        is_shared: false,
    };
}

impl Excerpt {
    /// An excerpt with these marks, at least one, `width` columns wide together with
    /// the numbers of its lines. `line` gives the text of a line without its end.
    pub(crate) fn new<'t>(
        marks: &[Mark],
        width: usize,
        line: impl Fn(usize) -> Option<&'t str>,
    ) -> Excerpt {
        let mut by_line: BTreeMap<usize, Vec<&Mark>> = BTreeMap::new();
        for mark in marks {
            by_line.entry(mark.line).or_default().push(mark);
        }
        let numbers: Vec<usize> = by_line.keys().copied().collect();
        let first_line = numbers.first().copied().unwrap_or(1);
        let mut excerpt = Excerpt {
            source: String::new(),
            first_line,
            marks: Vec::new(),
            room: Room {
                columns: match numbers.last() {
                    Some(last) => width.saturating_sub(last.to_string().len() + " | ".len()),
                    None => width,
                },
                is_shared: marks.len() > 1,
            },
        };
        let mut previous = first_line;
        for (number, here) in by_line {
            // The renderer folds a gap, unless it is a single line: that one
            // it shows.
            let single = number - previous == 2;
            for between in previous..number {
                if between > previous && single {
                    let text = line(between).unwrap_or_default();
                    excerpt.push_line(text, &[]);
                }
                excerpt.source.push('\n');
            }
            previous = number;
            excerpt.push_line(line(number).unwrap_or_default(), &here);
        }
        excerpt
    }

    /// Appends one line, without its end, and its marks.
    fn push_line(&mut self, text: &str, marks: &[&Mark]) {
        let line = CleanLine::new(text, marks, self.room);
        let start = self.source.len();
        for (span, mark) in line.spans.into_iter().zip(marks) {
            let span = start + span.start..start + span.end;
            self.marks.push((span, mark.label.clone(), mark.primary));
        }
        self.source.push_str(&line.text);
    }

    /// What the renderer takes. `holder` stands for the place.
    pub(crate) fn snippet<'a>(&'a self, holder: String) -> Snippet<'a, Annotation<'a>> {
        let annotations = self.marks.iter().map(|(span, label, primary)| {
            let kind = if *primary {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let label = (!label.is_empty()).then_some(label.as_str());
            kind.span(span.clone()).label(label)
        });
        Snippet::source(self.source.as_str())
            .line_start(self.first_line)
            .path(holder)
            .annotations(annotations)
    }
}

/// A line of source text that is safe to show, cut if it is long.
pub(crate) struct CleanLine {
    /// The text, without a line end.
    pub(crate) text: String,
    /// The bytes of it that each mark means.
    pub(crate) spans: Vec<Range<usize>>,
}

impl CleanLine {
    /// The line `text` with the marks that are in it, in so many columns.
    pub(crate) fn new(text: &str, marks: &[&Mark], room: Room) -> CleanLine {
        let window = window(text, marks, room);
        let mut out = String::new();
        if window.start > 0 {
            out.push('…');
        }
        // The edges of the marks, as soon as the text has come so far.
        let mut edges = vec![[None::<usize>; 2]; marks.len()];
        let mut pass = |at: usize, length: usize| {
            for (edges, mark) in edges.iter_mut().zip(marks) {
                for (edge, place) in edges.iter_mut().zip([mark.span.start, mark.span.end]) {
                    if place <= at && edge.is_none() {
                        *edge = Some(length);
                    }
                }
            }
        };
        for (at, c) in text[window.clone()].char_indices() {
            pass(window.start + at, out.len());
            match c {
                '\t' => out.push_str("    "),
                c => push_visible(&mut out, c),
            }
        }
        pass(usize::MAX, out.len());
        let spans = edges.iter().map(|[start, end]| {
            let start = start.unwrap_or(out.len());
            start..end.unwrap_or(out.len()).max(start)
        });
        let spans = spans.collect();
        if window.end < text.len() {
            out.push('…');
        }
        CleanLine { text: out, spans }
    }
}

/// The bytes of a line that are shown: all of a line of ordinary length, else
/// the surroundings of its first primary mark. Marks that lie outside are shown
/// at the edge.
fn window(text: &str, marks: &[&Mark], room: Room) -> Range<usize> {
    let Room {
        columns: room,
        is_shared,
    } = room;
    let focus = marks.iter().find(|mark| mark.primary).or(marks.first());
    let span = focus.map_or(0..0, |mark| mark.span.clone());
    let start = floor(text, span.start);
    let end = floor(text, span.end.max(span.start));
    // Beside it stands what is said about it.
    let label = focus.map_or(0, |mark| mark.label.width() + 1);
    let longest = room.saturating_sub(label).max(room / 2).min(LONG_MARK);
    let shortened = step_columns(text, start, longest);
    if text.len() <= LONG_LINE && end <= shortened.max(start + 1) {
        return match is_shared && columns(text) > room {
            true => around(text, marks, start..end, room),
            false => 0..text.len(),
        };
    }
    let context = CONTEXT.min(room / 4);
    let to = match end <= shortened {
        true => step(text, end, context),
        false => shortened,
    };
    step_back(text, start, context)..to
}

/// The bytes of a line that is too long for the room: with all marks and what is said about
/// them, or where they are too far apart, with this one.
fn around(text: &str, marks: &[&Mark], focus: Range<usize>, room: usize) -> Range<usize> {
    let labels = marks.iter().map(|mark| mark.label.width() + 1);
    let label = labels.max().unwrap_or_default().min(room / 3 * 2);
    let usable = room.saturating_sub(label + 2);
    let starts = marks.iter().map(|mark| floor(text, mark.span.start)).min();
    let ends = marks.iter().map(|mark| floor(text, mark.span.end)).max();
    let all = starts.unwrap_or(focus.start)..ends.unwrap_or(focus.end);
    let span = match all.start <= all.end && columns(&text[all.clone()]) <= usable {
        true => all,
        false => focus,
    };
    let from = match columns(&text[..span.end]) <= usable {
        true => 0,
        false => {
            let too_many = columns(&text[..span.end]) - usable;
            step_columns(text, 0, too_many).min(span.start)
        }
    };
    from..step_columns(text, from, room.saturating_sub(2)).max(span.end)
}

/// How many columns a text has.
fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(c: char) -> usize {
    match c {
        '\t' => 4,
        c => c.width().unwrap_or(1),
    }
}

/// The place up to `columns` columns after `at`.
fn step_columns(text: &str, at: usize, columns: usize) -> usize {
    let mut width = 0;
    for (i, c) in text[at..].char_indices() {
        width += columns_of(c);
        if width > columns {
            return at + i;
        }
    }
    text.len()
}

/// The last character boundary up to `at`.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The place `count` characters after `at`.
fn step(text: &str, at: usize, count: usize) -> usize {
    let rest = &text[at..];
    rest.char_indices()
        .nth(count)
        .map_or(text.len(), |(i, _)| at + i)
}

/// The place `count` characters before `at`.
fn step_back(text: &str, at: usize, count: usize) -> usize {
    match count.checked_sub(1) {
        Some(n) => text[..at].char_indices().rev().nth(n).map_or(0, |(i, _)| i),
        None => at,
    }
}

/// Line number `number` of `text`, without its end.
pub(crate) fn line_of(text: &str, number: usize) -> Option<&str> {
    text.lines().nth(number.checked_sub(1)?)
}

/// What a location without a column means: the line without its indentation.
pub(crate) fn trimmed(line: &str) -> Range<usize> {
    let start = line.len() - line.trim_start().len();
    start..line.trim_end().len().max(start)
}

/// What `column`, counted in characters from 1, means in `line`: the word that
/// starts there, or else the one character. `None` if there is no such column.
pub(crate) fn token(line: &str, column: usize) -> Option<Range<usize>> {
    let (start, first) = line.char_indices().nth(column.checked_sub(1)?)?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let end = if is_word(first) {
        line[start..]
            .find(|c| !is_word(c))
            .map_or(line.len(), |i| start + i)
    } else {
        start + first.len_utf8()
    };
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mark(line: usize, span: Range<usize>) -> Mark {
        Mark {
            line,
            span,
            label: String::new(),
            primary: true,
        }
    }

    /// The excerpt's text, and what its first mark covers there.
    fn cut(text: &str, span: Range<usize>) -> (String, String) {
        cut_to(usize::MAX, text, span)
    }

    /// The same in so many columns.
    fn cut_to(width: usize, text: &str, span: Range<usize>) -> (String, String) {
        let excerpt = Excerpt::new(&[mark(1, span)], width, |n| line_of(text, n));
        let marked = excerpt.source[excerpt.marks[0].0.clone()].to_owned();
        (excerpt.source, marked)
    }

    #[test]
    fn marks_move_with_what_is_spelled_out() {
        let (source, marked) = cut("\tx\x1b = y;", 5..6);
        assert_eq!((&*source, &*marked), ("    x\\x1b = y;", " "));
        let (_, marked) = cut("\tx\x1b = y;", 2..3);
        assert_eq!(marked, "\\x1b");
    }

    #[test]
    fn a_long_line_is_cut_around_its_mark() {
        let text = format!("{}needle{}", "a".repeat(5_000_000), "é".repeat(2_000_000));
        let (source, marked) = cut(&text, 5_000_000..5_000_006);
        assert_eq!(marked, "needle");
        assert_eq!(source.chars().count(), 1 + 80 + 6 + 80 + 1);
        // A mark that is itself too long is shortened.
        let (source, marked) = cut(&text, 0..text.len());
        assert_eq!(source.chars().count(), 160 + 1);
        assert!(source.starts_with(&marked[..160]));
    }

    #[test]
    fn a_mark_is_not_wider_than_the_terminal() {
        let text = format!("    {}", "call(argument);".repeat(8));
        assert_eq!(cut_to(140, &text, 4..124).0, text);
        let (source, marked) = cut_to(80, &text, 4..124);
        // "1 | " stands before it.
        assert_eq!(marked, text[4..4 + 76 - 1]);
        assert_eq!(source, format!("    {marked}…"));
        // Letters may be two columns wide.
        let (_, marked) = cut_to(80, &"例".repeat(90), 0..270);
        assert_eq!(marked.chars().count(), 37);
        // What fits is left to the renderer, which cuts beside it.
        assert_eq!(cut_to(80, &text, 4..8).0, text);
        // All lines would be cut at one column.
        let lines = [&*text, "x"];
        let marks = [mark(1, 109..123), mark(2, 0..1)];
        let excerpt = Excerpt::new(&marks, 60, |n| Some(lines[n - 1]));
        let first = excerpt.source.lines().next().unwrap_or_default();
        assert!(columns(first) <= 60 - 4, "{first}");
        assert_eq!(&excerpt.source[excerpt.marks[0].0.clone()], &text[109..123]);
        let long = format!("{}needle{}", "a".repeat(500), "b".repeat(500));
        let (source, _) = cut_to(80, &long, 500..506);
        assert_eq!(source.chars().count(), 1 + 19 + 6 + 19 + 1);
    }

    #[test]
    fn words_and_single_characters_are_tokens() {
        let line = "  größe.insert(k);";
        assert_eq!(&line[token(line, 3).unwrap()], "größe");
        assert_eq!(&line[token(line, 8).unwrap()], ".");
        assert_eq!(&line[token(line, 9).unwrap()], "insert");
        assert_eq!(token(line, 0), None);
        assert_eq!(token(line, 99), None);
        assert_eq!(&line[trimmed(line)], "größe.insert(k);");
        assert_eq!(trimmed("   "), 3..3);
    }

    proptest! {
        /// Whatever the text and the marks, what reaches the renderer is
        /// bounded, on character boundaries and inside the excerpt.
        #[test]
        fn any_marks_of_any_text_give_a_sound_excerpt(
            lines in prop::collection::vec("[a-zé日\u{1b}\t ]{0,40}", 1..8),
            repeat in 1usize..200,
            marks in prop::collection::vec((0usize..8, 0usize..9000, 0usize..9000, any::<bool>()), 1..5),
            width in prop_oneof![0usize..300, Just(usize::MAX)],
        ) {
            let lines: Vec<String> = lines.iter().map(|l| l.repeat(repeat)).collect();
            let marks: Vec<Mark> = marks
                .into_iter()
                .map(|(line, a, b, primary)| Mark {
                    line: line % lines.len() + 1,
                    span: a.min(b)..a.max(b),
                    label: String::new(),
                    primary,
                })
                .collect();
            let excerpt = Excerpt::new(&marks, width, |n| lines.get(n - 1).map(String::as_str));
            for (span, _, _) in &excerpt.marks {
                prop_assert!(excerpt.source.get(span.clone()).is_some(), "{span:?}");
            }
            prop_assert_eq!(excerpt.marks.len(), marks.len());
            prop_assert!(excerpt.source.len() < 8 * 8 * (2 * CONTEXT + LONG_LINE));
            let hostile = excerpt.source.contains(['\u{1b}', '\t']);
            prop_assert!(!hostile, "{:?}", excerpt.source);
        }
    }
}
