//! Values as text traces write them.
//!
//! ```text
//! value  = integer | 'string' | nil | true | false | ? | symbol | tuple
//! tuple  = "()" | "(" value ",)" | "(" value "," value … ")"
//! ```
//! Blanks around values are allowed. A string has the escapes `\\ \' \n \xNN`
//! (`NN` below 80); a symbol is a word that starts with neither a digit nor a
//! sign and has no blank, quote, comma, bar, backslash or parenthesis.

use commute_model::Value;

use crate::error::{ErrorKind, Problem, visible};
use crate::limits::{MAX_NESTING, MAX_TEXT};
use crate::naming::{is_blank, is_control};

/// Moves past blanks.
#[inline]
pub(super) fn skip_blanks(text: &[u8], at: &mut usize) {
    while *at < text.len() && is_blank(text[*at]) {
        *at += 1;
    }
}

/// Reads one value; `at` moves past it and the blanks after it.
#[inline]
pub(super) fn parse_value(text: &[u8], at: &mut usize, depth: usize) -> Result<Value, Problem> {
    skip_blanks(text, at);
    let value = match text.get(*at) {
        Some(b'\'') => parse_string(text, at)?,
        Some(b'0'..=b'9' | b'-' | b'+') => parse_integer(text, at)?,
        Some(b'(') => parse_tuple(text, at, depth)?,
        _ => parse_word(text, at)?,
    };
    skip_blanks(text, at);
    Ok(value)
}

/// Why a text does not start with a value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ValueError {
    /// Where in the text, in bytes.
    pub at: usize,
    /// What is wrong, in one line.
    pub message: String,
}

/// The value that a text starts with, and where in it the rest begins. Blanks around
/// the value belong to it.
///
/// ```
/// use commute_trace::read_value;
/// let (value, rest) = read_value(b"('a', nil) and more").unwrap();
/// assert_eq!((value.to_string(), rest), ("('a',nil)".to_string(), 11));
/// assert_eq!(read_value(b"(1, 0x7)").unwrap_err().at, 4);
/// ```
///
/// # Errors
/// If it does not start with one.
pub fn read_value(text: &[u8]) -> Result<(Value, usize), ValueError> {
    let mut at = 0;
    match parse_value(text, &mut at, 0) {
        Ok(value) => Ok((value, at)),
        Err(Problem { at, message, .. }) => Err(ValueError { at, message }),
    }
}

fn parse_string(text: &[u8], at: &mut usize) -> Result<Value, Problem> {
    let open = *at;
    let start = open + 1;
    let mut end = start;
    while let Some(&b) = text.get(end) {
        match b {
            b'\'' => {
                let content = &text[start..end];
                check_length(content.len(), open)?;
                let string = std::str::from_utf8(content)
                    .map_err(|error| bad_utf8(text, start + error.valid_up_to()))?;
                *at = end + 1;
                return Ok(Value::str(string));
            }
            b'\\' => return parse_escaped_string(text, at, end),
            b'|' => return Err(unterminated(open)),
            b if is_control(b) => return Err(control_in_string(b, end)),
            _ => end += 1,
        }
    }
    Err(unterminated(open))
}

/// The rest of a string from its first backslash on.
fn parse_escaped_string(text: &[u8], at: &mut usize, first: usize) -> Result<Value, Problem> {
    let open = *at;
    let mut content = text[open + 1..first].to_vec();
    let mut pos = first;
    loop {
        match text.get(pos) {
            None | Some(b'|') => return Err(unterminated(open)),
            Some(b'\'') => break,
            Some(b'\\') => {
                let (byte, length) = parse_escape(text, pos)?;
                content.push(byte);
                pos += length;
            }
            Some(&b) if is_control(b) => return Err(control_in_string(b, pos)),
            Some(&b) => {
                content.push(b);
                pos += 1;
            }
        }
    }
    check_length(content.len(), open)?;
    // Escapes are ASCII, so what is not UTF-8 was not UTF-8 in the line.
    let string = String::from_utf8(content).map_err(|_| {
        let valid = std::str::from_utf8(&text[open + 1..pos]);
        bad_utf8(
            text,
            open + 1 + valid.map_or_else(|e| e.valid_up_to(), |_| 0),
        )
    })?;
    *at = pos + 1;
    Ok(Value::str(&string))
}

/// The byte an escape stands for, and how long the escape is.
fn parse_escape(text: &[u8], at: usize) -> Result<(u8, usize), Problem> {
    let hex = |b: &u8| (*b as char).to_digit(16);
    match text.get(at + 1) {
        Some(b'\\') => Ok((b'\\', 2)),
        Some(b'\'') => Ok((b'\'', 2)),
        Some(b'n') => Ok((b'\n', 2)),
        Some(b'x') => {
            let digits = (
                text.get(at + 2).and_then(hex),
                text.get(at + 3).and_then(hex),
            );
            match digits {
                (Some(high @ 0..8), Some(low)) => Ok(((high * 16 + low) as u8, 4)),
                (Some(_), Some(_)) => Err(Problem::syntax(
                    at,
                    "`\\x` stands for an ASCII character only, up to \\x7f",
                )),
                _ => Err(Problem::syntax(at, "`\\x` needs two hexadecimal digits")),
            }
        }
        Some(&b) => {
            let what = visible(&[b]);
            let message = format!("unknown escape `\\{what}`; known are \\\\ \\' \\n \\xNN");
            Err(Problem::syntax(at, message))
        }
        None => Err(Problem::syntax(at, "unterminated string")),
    }
}

fn parse_integer(text: &[u8], at: &mut usize) -> Result<Value, Problem> {
    let start = *at;
    let negative = text[start] == b'-';
    let digits = start + usize::from(negative);
    let mut end = digits;
    // Up to eighteen digits cannot overflow.
    let mut small: i64 = 0;
    while let Some(&b @ b'0'..=b'9') = text.get(end) {
        if end - digits < 18 {
            small = small * 10 + i64::from(b - b'0');
        }
        end += 1;
    }
    let finished = match text.get(end) {
        None => true,
        Some(&b) => matches!(b, b',' | b')' | b'|') || is_blank(b),
    };
    if end == digits || !finished {
        let word = &text[start..word_end(text, start)];
        let message = format!(
            "`{}` is not an integer; put it in single quotes to make it a string",
            shown(word)
        );
        return Err(Problem::syntax(start, message));
    }
    *at = end;
    if end - digits <= 18 {
        return Ok(Value::Int(i128::from(if negative {
            -small
        } else {
            small
        })));
    }
    let written = std::str::from_utf8(&text[start..end]).ok();
    match written.and_then(|digits| digits.parse::<i128>().ok()) {
        Some(number) => Ok(Value::Int(number)),
        None => {
            let message = format!(
                "integer `{}` does not fit into 128 bits",
                shown(&text[start..end])
            );
            Err(Problem::syntax(start, message))
        }
    }
}

fn parse_tuple(text: &[u8], at: &mut usize, depth: usize) -> Result<Value, Problem> {
    let open = *at;
    if depth >= MAX_NESTING {
        let message = format!("tuples nested more than {MAX_NESTING} deep");
        return Err(Problem::too_long(open, message));
    }
    *at += 1;
    skip_blanks(text, at);
    let mut values = Vec::new();
    let mut comma = true;
    loop {
        match text.get(*at) {
            Some(b')') => break,
            None | Some(b'|') => {
                return Err(Problem::syntax(open, "this tuple has no closing `)`"));
            }
            Some(_) if !comma => {
                return Err(Problem::syntax(*at, "expected `,` or `)` in a tuple"));
            }
            Some(_) => {}
        }
        values.push(parse_value(text, at, depth + 1)?);
        comma = text.get(*at) == Some(&b',');
        if comma {
            *at += 1;
            skip_blanks(text, at);
        }
    }
    // `(1)` is a parenthesis around 1 to some and a tuple to others.
    if values.len() == 1 && !comma {
        let message = "one value in parentheses: write `(v,)` for a tuple, or `v` alone";
        return Err(Problem::syntax(open, message));
    }
    if values.len() > 1 && comma {
        return Err(Problem::syntax(*at, "expected a value after `,`"));
    }
    *at += 1;
    Ok(Value::tuple(values))
}

fn parse_word(text: &[u8], at: &mut usize) -> Result<Value, Problem> {
    let start = *at;
    let end = word_end(text, start);
    let word = &text[start..end];
    *at = end;
    match word {
        b"" => {
            return Err(match text.get(start) {
                Some(&b) if is_control(b) => {
                    Problem::syntax(start, format!("control character \\x{b:02x} in a value"))
                }
                Some(b'"') => Problem::syntax(start, "strings are written in single quotes"),
                Some(b'\\') => Problem::syntax(start, "`\\` outside a string"),
                _ => Problem::syntax(start, "expected a value"),
            });
        }
        b"nil" => return Ok(Value::Nil),
        b"true" => return Ok(Value::Bool(true)),
        b"false" => return Ok(Value::Bool(false)),
        b"?" => return Ok(Value::Opaque),
        _ if word[0] == b'?' => {
            return Err(Problem::syntax(start, "a value that starts with `?`"));
        }
        _ => {}
    }
    check_length(word.len(), start)?;
    match std::str::from_utf8(word) {
        Ok(word) => Ok(Value::symbol(word)),
        Err(error) => Err(bad_utf8(text, start + error.valid_up_to())),
    }
}

/// Whether `word` would be read back as the symbol it is.
pub fn is_symbol(word: &str) -> bool {
    let bytes = word.as_bytes();
    let first_fits = !matches!(bytes.first(), None | Some(b'0'..=b'9' | b'-' | b'+' | b'?'));
    first_fits
        && word_end(bytes, 0) == bytes.len()
        && bytes.len() <= MAX_TEXT
        && !matches!(word, "nil" | "true" | "false")
}

/// Where the word that starts at `at` ends.
fn word_end(text: &[u8], at: usize) -> usize {
    let stops = |b: u8| {
        matches!(b, b',' | b'(' | b')' | b'|' | b'\'' | b'"' | b'\\')
            || is_blank(b)
            || is_control(b)
    };
    let rest = text.get(at..).unwrap_or(&[]);
    at + rest.iter().position(|&b| stops(b)).unwrap_or(rest.len())
}

fn check_length(length: usize, at: usize) -> Result<(), Problem> {
    if length > MAX_TEXT {
        let message = format!("value of {length} bytes; at most {MAX_TEXT} are allowed");
        return Err(Problem::too_long(at, message));
    }
    Ok(())
}

/// A word short enough for a message.
pub(super) fn shown(word: &[u8]) -> String {
    const ROOM: usize = 40;
    let visible = visible(&word[..word.len().min(4 * ROOM)]);
    if visible.chars().count() <= ROOM && word.len() <= 4 * ROOM {
        return visible;
    }
    let mut short: String = visible.chars().take(ROOM).collect();
    short.push('…');
    short
}

#[cold]
fn unterminated(open: usize) -> Problem {
    Problem::syntax(open, "unterminated string")
}

#[cold]
fn control_in_string(byte: u8, at: usize) -> Problem {
    let message = format!("control character \\x{byte:02x} in a string; write it as an escape");
    Problem::syntax(at, message)
}

#[cold]
fn bad_utf8(text: &[u8], at: usize) -> Problem {
    let byte = text.get(at).copied().unwrap_or(0);
    Problem {
        kind: ErrorKind::Syntax,
        at,
        message: format!("byte \\x{byte:02x} is not UTF-8"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Value, (usize, String)> {
        let mut at = 0;
        let value = parse_value(text.as_bytes(), &mut at, 0).map_err(|p| (p.at, p.message))?;
        assert_eq!(at, text.len(), "{text}");
        Ok(value)
    }

    #[test]
    fn values_come_back_as_they_are_printed() {
        for text in [
            "0",
            "-1",
            "12345678901234567890",
            "nil",
            "true",
            "false",
            "?",
            "c1",
            "a.com",
            "'x'",
            "''",
            r"'it\'s a\x7cb\\c\n\x00'",
            "()",
            "(1,)",
            "(1,2)",
            "((),(a,(nil,)))",
            "été",
            "-170141183460469231731687303715884105728",
            "170141183460469231731687303715884105727",
            "'(a,b)/'",
            "a/b",
            "*",
            "&x",
        ] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        assert_eq!(parse(" ( 1 , 'a' ) ").unwrap().to_string(), "(1,'a')");
        assert_eq!(parse("-0"), Ok(Value::Int(0)));
        assert_eq!(parse("007"), Ok(Value::Int(7)));
        assert_eq!(parse(r"'\x41'"), Ok(Value::str("A")));
    }

    #[test]
    fn bad_values_are_refused_at_the_spot() {
        for (text, at, message) in [
            ("'abc", 0, "unterminated string"),
            ("'a|b'", 0, "unterminated string"),
            (r"'a\n|b'", 0, "unterminated string"),
            (r"'ab\", 3, "unterminated string"),
            (r"'a\q'", 2, "unknown escape"),
            (r"'a\x4'", 2, "two hexadecimal"),
            (r"'a\xff'", 2, "ASCII"),
            ("12ab", 0, "not an integer"),
            ("0x7f", 0, "not an integer"),
            ("1.5", 0, "not an integer"),
            ("-", 0, "not an integer"),
            ("+1", 0, "not an integer"),
            ("170141183460469231731687303715884105728", 0, "128 bits"),
            ("\"a\"", 0, "single quotes"),
            ("?x", 0, "starts with `?`"),
            ("(1", 0, "no closing"),
            ("(1)", 0, "one value"),
            ("(1,2,)", 5, "expected a value"),
            ("(1 2)", 3, "expected `,`"),
            ("(,)", 1, "expected a value"),
            ("", 0, "expected a value"),
            ("\\", 0, "outside a string"),
            ("'a\tb\x07'", 4, "control character"),
        ] {
            let (found_at, found) = parse(text).expect_err(text);
            assert!(found.contains(message), "{text}: {found}");
            assert_eq!(found_at, at, "{text}: {found}");
        }
    }

    #[test]
    fn depth_and_length_are_bounded() {
        let deep = |n: usize| format!("{}{}", "(".repeat(n), ",)".repeat(n)).replace("(,)", "()");
        assert!(parse(&deep(MAX_NESTING)).is_ok());
        let (at, message) = parse(&deep(MAX_NESTING + 1)).unwrap_err();
        assert_eq!(at, MAX_NESTING);
        assert!(message.contains("nested"));
        let long = |n: usize| format!("'{}'", "x".repeat(n));
        assert!(parse(&long(MAX_TEXT)).is_ok());
        assert!(
            parse(&long(MAX_TEXT + 1))
                .unwrap_err()
                .1
                .contains("at most")
        );
        let escaped = format!("'{}'", "\\n".repeat(MAX_TEXT + 1));
        assert!(parse(&escaped).unwrap_err().1.contains("at most"));
        assert!(parse(&"x".repeat(MAX_TEXT + 1)).is_err());
    }

    #[test]
    fn symbols_are_recognised() {
        for word in ["a", "c1", "a.com", "é", "<init>", "a/b"] {
            assert!(is_symbol(word), "{word}");
        }
        for word in [
            "", "1a", "-x", "?", "nil", "true", "a b", "a,b", "(a", "a'b", "a|b", "a\n",
        ] {
            assert!(!is_symbol(word), "{word}");
        }
    }
}
