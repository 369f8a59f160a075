//! Histories as text, one event a line.

use std::fmt;

use commute_model::Value;
use commute_trace::{MAX_LINE, NameKind, check_name, read_value};

use super::history::History;
use super::recording::Recording;

/// Why a text is no history.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong, in one line.
    pub message: String,
}

impl History {
    /// Reads a history; [the module](super) describes the format. Times are numbers of
    /// events.
    ///
    /// # Errors
    /// If a line is no event, or an event that cannot happen after those before it.
    pub fn parse(text: impl AsRef<[u8]>) -> Result<History, ParseError> {
        let text = text.as_ref();
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut recording = Recording::new();
        for (number, bytes) in text.split(|&b| b == b'\n').enumerate() {
            let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
            let mut line = Line { bytes, at: 0 };
            let read = line.read(&mut recording);
            read.map_err(|problem| ParseError {
                line: number + 1,
                column: characters(&bytes[..problem.at.min(bytes.len())]) + 1,
                message: problem.message,
            })?;
        }
        Ok(recording.finish())
    }
}

fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&b| b & 0xc0 != 0x80).count()
}

/// What is wrong with a line, and at which byte.
struct Problem {
    at: usize,
    message: String,
}

impl Problem {
    fn new(at: usize, message: impl Into<String>) -> Problem {
        let message = message.into();
        Problem { at, message }
    }
}

/// A line that is read from left to right.
struct Line<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Line<'a> {
    fn read(&mut self, recording: &mut Recording) -> Result<(), Problem> {
        self.skip_blanks();
        if matches!(self.peek(), None | Some(b'#')) {
            return Ok(());
        }
        if self.bytes.len() > MAX_LINE {
            let message = format!("a line of more than {MAX_LINE} bytes");
            return Err(Problem::new(self.at, message));
        }
        let start = self.at;
        let process = self.word();
        let process = name(NameKind::Thread, process, start)?;
        self.skip_blanks();
        let verb = self.at;
        let event = match self.word() {
            b"invoke" => {
                let (object, method, args) = self.call()?;
                recording.invoke(process, object, method, args)
            }
            b"point" => recording.takes_effect(process),
            b"return" => {
                let result = self.result()?;
                recording.returns(process, result)
            }
            _ => {
                let message = "expected `invoke`, `return` or `point` after the process";
                return Err(Problem::new(verb, message));
            }
        };
        self.skip_blanks();
        if self.peek().is_some() {
            return Err(Problem::new(self.at, "expected the end of the line"));
        }
        event.map_err(|error| Problem::new(start, error.to_string()))?;
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// What is before the next blank.
    fn word(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let is_blank = |b: &u8| matches!(b, b' ' | b'\t');
        let length = rest.iter().position(is_blank).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Object, method and arguments. The method is what follows the last dot: names of
    /// objects may have dots.
    fn call(&mut self) -> Result<(&'a str, &'a str, Vec<Value>), Problem> {
        self.skip_blanks();
        let start = self.at;
        let rest = &self.bytes[start..];
        let Some(open) = rest.iter().position(|&b| b == b'(') else {
            let message = "expected a call: `method(arguments)` or `object.method(arguments)`";
            return Err(Problem::new(start, message));
        };
        let head = &rest[..open];
        let (object, method, method_start) = match head.iter().rposition(|&b| b == b'.') {
            Some(dot) => (
                name(NameKind::Object, &head[..dot], start)?,
                &head[dot + 1..],
                start + dot + 1,
            ),
            None => ("", head, start),
        };
        let method = name(NameKind::Method, method, method_start)?;
        self.at = start + open + 1;
        Ok((object, method, self.arguments()?))
    }

    fn arguments(&mut self) -> Result<Vec<Value>, Problem> {
        let open = self.at - 1;
        let mut args = Vec::new();
        self.skip_blanks();
        if self.peek() == Some(b')') {
            self.at += 1;
            return Ok(args);
        }
        loop {
            if self.peek().is_none() {
                return Err(Problem::new(open, "this `(` has no closing `)`"));
            }
            args.push(self.value()?);
            let comma = self.peek();
            match comma {
                Some(b',' | b')') => self.at += 1,
                None => return Err(Problem::new(open, "this `(` has no closing `)`")),
                Some(_) => return Err(Problem::new(self.at, "expected `,` or `)`")),
            }
            if comma == Some(b')') {
                return Ok(args);
            }
            self.skip_blanks();
        }
    }

    fn result(&mut self) -> Result<Value, Problem> {
        self.skip_blanks();
        match self.peek() {
            None => Ok(Value::unit()),
            Some(_) => self.value(),
        }
    }

    fn value(&mut self) -> Result<Value, Problem> {
        let (value, length) = read_value(&self.bytes[self.at..])
            .map_err(|error| Problem::new(self.at + error.at, error.message))?;
        self.at += length;
        Ok(value)
    }
}

/// The name that these bytes, which start at a place of the line, are.
fn name(kind: NameKind, bytes: &[u8], start: usize) -> Result<&str, Problem> {
    let Ok(name) = std::str::from_utf8(bytes) else {
        let message = format!("the name of the {kind} is not UTF-8");
        return Err(Problem::new(start, message));
    };
    check_name(kind, name).map_err(|message| Problem::new(start, message))?;
    Ok(name)
}

/// Prints the history as it is read, if names have no blanks.
impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::with_capacity(2 * self.calls.len());
        for call in &self.calls {
            let process = &call.process;
            lines.push((call.invoked, format!("{process} invoke {call}")));
            lines.extend(call.point.map(|at| (at, format!("{process} point"))));
            if let Some(returned) = &call.returned {
                let result = match &returned.result {
                    Value::Tuple(values) if values.is_empty() => String::new(),
                    value => format!(" {value}"),
                };
                lines.push((returned.at, format!("{process} return{result}")));
            }
        }
        lines.sort_by_key(|(time, _)| *time);
        lines.iter().try_for_each(|(_, line)| writeln!(f, "{line}"))
    }
}
