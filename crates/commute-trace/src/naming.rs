//! Which names a trace may use.
//!
//! The rules are those that let every name be written in a line of a text trace
//! and read back unchanged, so that text and binary traces hold the same.

use std::fmt;

use crate::error::{ErrorKind, Problem};
use crate::limits::MAX_TEXT;

/// What a name is the name of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum NameKind {
    /// A thread.
    Thread,
    /// A lock.
    Lock,
    /// A variable.
    Variable,
    /// A condition variable.
    Condvar,
    /// A library object.
    Object,
    /// The type of a library object.
    Type,
    /// A method of a library object.
    Method,
    /// An atomic block.
    Block,
    /// A source location.
    Location,
}

impl NameKind {
    /// All of them, in the order in which binary traces list them.
    pub const ALL: [NameKind; 9] = [
        NameKind::Thread,
        NameKind::Lock,
        NameKind::Variable,
        NameKind::Condvar,
        NameKind::Object,
        NameKind::Type,
        NameKind::Method,
        NameKind::Block,
        NameKind::Location,
    ];

    fn with_article(self) -> &'static str {
        match self {
            NameKind::Thread => "a thread",
            NameKind::Lock => "a lock",
            NameKind::Variable => "a variable",
            NameKind::Condvar => "a condition variable",
            NameKind::Object => "an object",
            NameKind::Type => "a type",
            NameKind::Method => "a method",
            NameKind::Block => "a block",
            NameKind::Location => "a location",
        }
    }

    /// The word for one of them.
    pub fn word(self) -> &'static str {
        match self {
            NameKind::Thread => "thread",
            NameKind::Lock => "lock",
            NameKind::Variable => "variable",
            NameKind::Condvar => "condition variable",
            NameKind::Object => "object",
            NameKind::Type => "type",
            NameKind::Method => "method",
            NameKind::Block => "block",
            NameKind::Location => "location",
        }
    }
}

impl fmt::Display for NameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Whether `name` may name a `kind`; what is wrong with it if not.
///
/// ```
/// use commute_trace::{NameKind, check_name};
/// assert!(check_name(NameKind::Variable, "Vec<(u8, u8)>.len").is_ok());
/// assert!(check_name(NameKind::Location, "").is_ok());
/// assert_eq!(
///     check_name(NameKind::Thread, "a|b").unwrap_err(),
///     "`|` in a thread name"
/// );
/// ```
///
/// # Errors
/// The reason, in a few words.
pub fn check_name(kind: NameKind, name: &str) -> Result<(), String> {
    check(kind, name.as_bytes()).map_err(|problem| problem.message)
}

/// Like [`check_name`], with the byte at which the problem is. Does not look at
/// whether the bytes are UTF-8: interning does.
pub(crate) fn check(kind: NameKind, name: &[u8]) -> Result<(), Problem> {
    // Most names are a word, and there may be millions.
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if matches!(name.len(), 1..=64) && name.iter().all(is_word) {
        return Ok(());
    }
    check_unusual(kind, name)
}

fn check_unusual(kind: NameKind, name: &[u8]) -> Result<(), Problem> {
    if name.is_empty() && kind != NameKind::Location {
        return Err(Problem::syntax(0, format!("empty {kind} name")));
    }
    if name.len() > MAX_TEXT {
        return Err(Problem::too_long(
            0,
            format!(
                "{kind} name of {} bytes; at most {MAX_TEXT} are allowed",
                name.len()
            ),
        ));
    }
    if let (Some(&first), Some(&last)) = (name.first(), name.last()) {
        if is_blank(first) {
            return Err(Problem::syntax(
                0,
                format!("blank before {} name", kind.with_article()),
            ));
        }
        if is_blank(last) {
            let at = name.len() - 1;
            return Err(Problem::syntax(
                at,
                format!("blank after {} name", kind.with_article()),
            ));
        }
    }
    let mut open = Vec::new();
    for (i, &b) in name.iter().enumerate() {
        let forbidden = match b {
            b'|' => true,
            b'(' | b')' => matches!(kind, NameKind::Object | NameKind::Method),
            b',' => kind == NameKind::Condvar,
            b':' => kind == NameKind::Type,
            b'.' => kind == NameKind::Method,
            b'#' => kind == NameKind::Thread && i == 0,
            _ => false,
        };
        if forbidden {
            let what = b as char;
            return Err(Problem::syntax(
                i,
                format!("`{what}` in {} name", kind.with_article()),
            ));
        }
        if is_control(b) {
            let message = format!(
                "control character \\x{b:02x} in {} name",
                kind.with_article()
            );
            return Err(Problem::syntax(i, message));
        }
        if kind != NameKind::Location {
            match b {
                b'(' => open.push(i),
                b')' if open.pop().is_none() => {
                    return Err(Problem::syntax(
                        i,
                        format!("`)` without `(` in {} name", kind.with_article()),
                    ));
                }
                _ => {}
            }
        }
    }
    if let Some(&i) = open.first() {
        return Err(Problem::syntax(
            i,
            format!("`(` without `)` in {} name", kind.with_article()),
        ));
    }
    if kind == NameKind::Thread && name.starts_with(BYTE_ORDER_MARK) {
        return Err(Problem::syntax(0, "byte order mark in a thread name"));
    }
    Ok(())
}

/// What some editors write at the start of a file.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The problem of a name that is not UTF-8.
#[cold]
pub(crate) fn not_utf8(name: &[u8]) -> Problem {
    let at = match std::str::from_utf8(name) {
        Ok(_) => 0,
        Err(error) => error.valid_up_to(),
    };
    Problem {
        kind: ErrorKind::Syntax,
        at,
        message: format!(
            "byte \\x{:02x} is not UTF-8",
            name.get(at).copied().unwrap_or(0)
        ),
    }
}

#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// A tab is a blank; every other control character is a sign of damage, and
/// would reach the reader's terminal.
#[inline]
pub(crate) fn is_control(byte: u8) -> bool {
    (byte < b' ' && byte != b'\t') || byte == 0x7f
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_real_programs_are_legal() {
        for name in [
            "T1",
            "main",
            "worker 3",
            "{closure#0}",
            "f(a, b)",
            "été",
            "a.b.c",
            "x:y",
        ] {
            assert_eq!(check_name(NameKind::Variable, name), Ok(()), "{name}");
        }
        assert_eq!(check_name(NameKind::Location, "src/a b.rs:3:(4"), Ok(()));
        assert_eq!(check_name(NameKind::Object, "a::pool.conns"), Ok(()));
    }

    #[test]
    fn names_that_cannot_be_written_are_refused() {
        for (kind, name, at) in [
            (NameKind::Variable, "", 0),
            (NameKind::Variable, " x", 0),
            (NameKind::Variable, "x\t", 1),
            (NameKind::Variable, "a|b", 1),
            (NameKind::Variable, "a\nb", 1),
            (NameKind::Variable, "a\x1b[31m", 1),
            (NameKind::Variable, "f(x", 1),
            (NameKind::Variable, "f)x(", 1),
            (NameKind::Object, "f()", 1),
            (NameKind::Condvar, "a,b", 1),
            (NameKind::Type, "a:b", 1),
            (NameKind::Method, "a.b", 1),
            (NameKind::Thread, "#1", 0),
            (NameKind::Thread, "\u{feff}T", 0),
        ] {
            let problem = check(kind, name.as_bytes()).expect_err(name);
            assert_eq!(problem.at, at, "{name:?}: {}", problem.message);
        }
        let long = "x".repeat(MAX_TEXT + 1);
        assert_eq!(
            check(NameKind::Lock, long.as_bytes()).unwrap_err().kind,
            ErrorKind::TooLong
        );
        assert_eq!(check(NameKind::Lock, &long.as_bytes()[1..]), Ok(()));
    }
}
