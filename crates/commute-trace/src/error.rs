//! What is wrong with a trace that could not be read to its end.

use std::fmt;
use std::io;

/// Why reading stopped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system said so.
    Io,
    /// A line that is not an event.
    Syntax,
    /// A line, a name or a value beyond the limits.
    TooLong,
    /// An action on an object whose type is not declared.
    Undeclared,
    /// An event that is well written but makes no sense to an analysis.
    Invalid,
    /// The file ends too early.
    Truncated,
    /// The bytes are not what the writer wrote.
    Corrupt,
    /// Written by a newer version.
    Unsupported,
    /// There is no event at all.
    Empty,
}

/// Where in the trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Nowhere in particular.
    Whole,
    /// In a line of a text trace.
    Line {
        /// The line, from 1.
        line: u64,
        /// The column, from 1, in characters.
        column: u64,
        /// The line, or the part of it that matters.
        excerpt: Excerpt,
    },
    /// At a byte of the file, from 0.
    Byte(u64),
}

/// A part of a line, fit for a terminal: at most 120 characters, control
/// characters replaced by visible ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The text.
    pub text: String,
    /// The column of the problem in this text, from 1, in characters.
    pub column: usize,
}

/// Why a trace could not be read to its end. The events before the problem
/// have been delivered.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct TraceError {
    /// What kind of problem it is.
    pub kind: ErrorKind,
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub place: Place,
    /// What was lost, if something was.
    pub lost: Option<String>,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Whole => {}
            Place::Line { line, column, .. } => write!(f, "line {line}, column {column}: ")?,
            Place::Byte(offset) => write!(f, "byte {offset}: ")?,
        }
        f.write_str(&self.message)?;
        match &self.lost {
            Some(lost) => write!(f, " ({lost})"),
            None => Ok(()),
        }
    }
}

impl TraceError {
    pub(crate) fn whole(kind: ErrorKind, message: impl Into<String>) -> TraceError {
        TraceError {
            kind,
            message: message.into(),
            place: Place::Whole,
            lost: None,
        }
    }

    pub(crate) fn at_byte(kind: ErrorKind, offset: u64, message: impl Into<String>) -> TraceError {
        TraceError {
            place: Place::Byte(offset),
            ..TraceError::whole(kind, message)
        }
    }

    pub(crate) fn in_line(problem: Problem, number: u64, line: &[u8]) -> TraceError {
        let at = problem.at.min(line.len());
        TraceError {
            place: Place::Line {
                line: number,
                column: characters(&line[..at]) as u64 + 1,
                excerpt: Excerpt::around(line, at),
            },
            ..TraceError::whole(problem.kind, problem.message)
        }
    }

    pub(crate) fn lost(mut self, lost: impl Into<String>) -> TraceError {
        self.lost = Some(lost.into());
        self
    }

    /// From an error while opening or reading a file.
    pub(crate) fn io(error: &io::Error, what: &str) -> TraceError {
        TraceError::whole(ErrorKind::Io, format!("{what}: {error}"))
    }
}

/// A problem of one line: where in it, in bytes, and what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    pub(crate) kind: ErrorKind,
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Problem {
    #[cold]
    pub(crate) fn syntax(at: usize, message: impl Into<String>) -> Problem {
        Problem {
            kind: ErrorKind::Syntax,
            at,
            message: message.into(),
        }
    }

    #[cold]
    pub(crate) fn too_long(at: usize, message: impl Into<String>) -> Problem {
        Problem {
            kind: ErrorKind::TooLong,
            ..Problem::syntax(at, message)
        }
    }

    /// The same problem, seen from a text that starts `offset` bytes earlier.
    pub(crate) fn shifted(mut self, offset: usize) -> Problem {
        self.at += offset;
        self
    }
}

/// How many characters these bytes are; bytes that are not UTF-8 count one each
/// unless they look like the continuation of a character.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&b| b & 0xc0 != 0x80).count()
}

impl Excerpt {
    const WIDTH: usize = 120;
    const BEFORE: usize = 60;

    fn around(line: &[u8], at: usize) -> Excerpt {
        // A line may be a megabyte: look only at what can be shown. Four bytes
        // are the most a character has.
        let from = at.saturating_sub(4 * Self::BEFORE);
        let to = line.len().min(at + 4 * Self::WIDTH);
        let before = visible(&line[from..at]);
        let after = visible(&line[at..to]);
        let before_len = before.chars().count();
        let after_len = after.chars().count();
        let mut text = String::new();
        let cut_front = from > 0 || before_len > Self::BEFORE;
        let skip = before_len.saturating_sub(Self::BEFORE);
        if cut_front {
            text.push('…');
        }
        text.extend(before.chars().skip(skip));
        let column = text.chars().count() + 1;
        let room = Self::WIDTH - column;
        text.extend(after.chars().take(room));
        if to < line.len() || after_len > room {
            text.push('…');
        }
        Excerpt { text, column }
    }
}

/// The text of these bytes with a visible sign for each control character.
pub(crate) fn visible(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        .map(|c| match c {
            '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
            '\x7f' => '\u{2421}',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(line: &[u8], at: usize) -> (String, usize) {
        let excerpt = Excerpt::around(line, at);
        assert!(excerpt.text.chars().count() <= Excerpt::WIDTH);
        (excerpt.text, excerpt.column)
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        assert_eq!(excerpt(b"T1|foo|3", 3), ("T1|foo|3".into(), 4));
        assert_eq!(excerpt(b"", 0), (String::new(), 1));
        assert_eq!(excerpt("T\u{e9}|x".as_bytes(), 4), ("T\u{e9}|x".into(), 4));
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides_and_the_column_still_fits() {
        let mut line = vec![b'a'; 500];
        line.push(b'!');
        line.extend([b'b'; 500]);
        let (text, column) = excerpt(&line, 500);
        assert_eq!(text.chars().nth(column - 1), Some('!'));
        assert!(text.starts_with('…') && text.ends_with('…'));
    }

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(excerpt(b"\x1b[31m\0\x7f", 1), ("␛[31m␀␡".into(), 2));
    }

    #[test]
    fn errors_say_where() {
        let error = TraceError::in_line(Problem::syntax(4, "bad"), 7, "T\u{e9}|x".as_bytes());
        assert_eq!(error.to_string(), "line 7, column 4: bad");
        let error = TraceError::at_byte(ErrorKind::Corrupt, 40, "bad checksum").lost("9 bytes");
        assert_eq!(error.to_string(), "byte 40: bad checksum (9 bytes)");
    }
}
