//! Values on their way from a thread to the collector: as a binary trace has them.
//! Nothing is allocated to write one.

use commute_model::Value;
use commute_trace::value_bytes::{
    MOST_HEAD, MOST_INTEGER, ValueBytes, put_boolean, put_integer, put_nil, put_opaque, put_string,
    put_symbol, put_tuple,
};
use commute_trace::{MAX_NESTING, is_symbol};

/// An argument or a result, borrowed from the program.
#[derive(Clone, Debug)]
pub enum Raw<'a> {
    /// No value.
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A string.
    Str(&'a str),
    /// A word: a name for something that has no text.
    Symbol(&'a str),
    /// Something that cannot be observed.
    Opaque,
    /// Several values.
    Tuple(&'a [Raw<'a>]),
    /// A value that somebody made.
    Value(Value),
}

/// A longer string is cut: a trace may not contain it.
const LONGEST: usize = 1 << 12;

impl Raw<'_> {
    /// The value, to be kept.
    pub fn to_value(&self) -> Value {
        match self {
            Raw::Nil => Value::Nil,
            Raw::Bool(b) => Value::Bool(*b),
            Raw::Int(n) => Value::Int(*n),
            Raw::Str(text) => Value::str(cut(text)),
            Raw::Symbol(text) => Value::symbol(cut(text)),
            Raw::Opaque => Value::Opaque,
            Raw::Tuple(values) => Value::tuple(values.iter().map(Raw::to_value)),
            Raw::Value(value) => value.clone(),
        }
    }

    /// It takes no more bytes, texts included.
    #[inline(always)]
    pub(crate) fn most(&self) -> usize {
        match self {
            Raw::Nil | Raw::Bool(_) | Raw::Opaque => 1,
            Raw::Int(_) => MOST_INTEGER,
            Raw::Str(text) | Raw::Symbol(text) => MOST_HEAD + cut(text).len(),
            Raw::Tuple(values) => most_of_all(values),
            Raw::Value(value) => most_of(value),
        }
    }

    /// Its bytes, or with `TEXT` its texts.
    #[inline(always)]
    pub(crate) fn put<const TEXT: bool>(&self, body: &mut Body<'_>) {
        match self {
            Raw::Str(text) => put_text::<TEXT>(text, body, put_string),
            Raw::Symbol(word) => put_word::<TEXT>(word, body),
            Raw::Tuple(values) => put_all::<TEXT>(values, body),
            Raw::Value(value) => put_value::<TEXT>(value, 0, body),
            _ if TEXT => {}
            Raw::Nil => put_nil(body),
            Raw::Bool(b) => put_boolean(body, *b),
            Raw::Int(n) => put_integer(body, *n),
            Raw::Opaque => put_opaque(body),
        }
    }
}

/// Where the bytes of an action go.
#[derive(Debug)]
pub(crate) struct Body<'a> {
    room: &'a mut [u8],
    /// Where the next byte goes.
    pub(crate) at: usize,
}

/// So much room must be left behind the last byte: numbers are written whole.
pub(crate) const MARGIN: usize = 8;

impl<'a> Body<'a> {
    #[inline(always)]
    pub(crate) fn new(room: &'a mut [u8], at: usize) -> Body<'a> {
        Body { room, at }
    }

    fn text(&mut self, text: &str) {
        let end = self.at + text.len();
        self.room[self.at..end].copy_from_slice(text.as_bytes());
        self.at = end;
    }
}

impl ValueBytes for Body<'_> {
    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        self.room[self.at] = byte;
        self.at += 1;
    }

    #[inline(always)]
    fn low_bytes(&mut self, number: u64, width: usize) {
        self.room[self.at..self.at + 8].copy_from_slice(&number.to_le_bytes());
        self.at += width;
    }

    #[inline(always)]
    fn byte_and_low_bytes(&mut self, byte: u8, number: u64, width: usize) {
        let room = &mut self.room[self.at..self.at + 9];
        room[0] = byte;
        room[1..].copy_from_slice(&number.to_le_bytes());
        self.at += 1 + width;
    }
}

/// Tuples of tuples are not made by instrumented types, but for values.
fn most_of_all(values: &[Raw<'_>]) -> usize {
    MOST_HEAD + values.iter().map(most_of_one).sum::<usize>()
}

fn most_of_one(value: &Raw<'_>) -> usize {
    value.most()
}

fn put_all<const TEXT: bool>(values: &[Raw<'_>], body: &mut Body<'_>) {
    if !TEXT {
        put_tuple(body, values.len());
    }
    for value in values {
        value.put::<TEXT>(body);
    }
}

fn most_of(value: &Value) -> usize {
    match value {
        Value::Nil | Value::Bool(_) | Value::Opaque => 1,
        Value::Int(_) => MOST_INTEGER,
        Value::Str(text) | Value::Symbol(text) => MOST_HEAD + cut(text.as_str()).len(),
        Value::Tuple(values) => MOST_HEAD + values.iter().map(most_of).sum::<usize>(),
    }
}

fn put_value<const TEXT: bool>(value: &Value, depth: usize, body: &mut Body<'_>) {
    match value {
        Value::Str(text) => put_text::<TEXT>(text.as_str(), body, put_string),
        Value::Symbol(word) => put_word::<TEXT>(word.as_str(), body),
        Value::Tuple(values) if depth < DEEPEST => {
            if !TEXT {
                put_tuple(body, values.len());
            }
            for value in values.iter() {
                put_value::<TEXT>(value, depth + 1, body);
            }
        }
        _ if TEXT => {}
        Value::Nil => put_nil(body),
        Value::Bool(b) => put_boolean(body, *b),
        Value::Int(n) => put_integer(body, *n),
        Value::Opaque | Value::Tuple(_) => put_opaque(body),
    }
}

/// A trace may not contain tuples in more tuples. Some are left for the results of an
/// action that has several.
const DEEPEST: usize = MAX_NESTING / 2;

#[inline(always)]
fn put_text<'a, const TEXT: bool>(
    text: &str,
    body: &mut Body<'a>,
    head: impl FnOnce(&mut Body<'a>, usize),
) {
    let text = cut(text);
    match TEXT {
        true => body.text(text),
        false => head(body, text.len()),
    }
}

/// What is not a word is a string: a trace would not be readable otherwise.
fn put_word<const TEXT: bool>(word: &str, body: &mut Body<'_>) {
    match is_symbol(cut(word)) {
        true => put_text::<TEXT>(word, body, put_symbol),
        false => put_text::<TEXT>(word, body, put_string),
    }
}

#[inline]
fn cut(text: &str) -> &str {
    if text.len() <= LONGEST {
        return text;
    }
    let end = (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use commute_model::{Action, Event, Names, Op};
    use commute_trace::value_bytes::{put_no_result, put_number};
    use commute_trace::{CtrWriter, Options, TraceReader};

    use super::*;

    /// What a reader makes of the value as the argument of an action.
    fn read_back(raw: &Raw<'_>) -> Value {
        let mut names = Names::default();
        let object = names.objects.intern("o");
        let event = |op| Event {
            thread: Names::default().threads.intern("T"),
            location: Names::default().locations.intern("l"),
            op,
        };
        names.threads.intern("T");
        names.locations.intern("l");
        let mut writer = CtrWriter::new(Vec::new()).unwrap();
        let new = event(Op::New(object, names.types.intern("map")));
        writer.write(&new, &names).unwrap();
        let action = Action {
            object,
            method: names.methods.intern("insert"),
            args: [].into_iter().collect(),
            result: None,
        };
        let numbers = writer
            .numbers(&event(Op::Action(action.into())), &names)
            .unwrap();
        let mut room = vec![0; 3 + raw.most() + MARGIN];
        let mut body = Body::new(&mut room, 0);
        put_number(&mut body, 0);
        put_number(&mut body, 1);
        raw.put::<false>(&mut body);
        put_no_result(&mut body);
        let bytes = body.at;
        raw.put::<true>(&mut body);
        let end = body.at;
        assert!(end <= 3 + raw.most(), "{raw:?}");
        writer
            .write_action(numbers, &room, [bytes, end - bytes])
            .unwrap();
        let file = std::io::Cursor::new(writer.finish().unwrap());
        let mut reader = TraceReader::from_reader(file, Options::default()).unwrap();
        let mut events = Vec::new();
        reader.read_batch(&mut events).unwrap();
        match &events[1].op {
            Op::Action(action) => action.args[0].clone(),
            op => panic!("{op:?}"),
        }
    }

    #[test]
    fn every_value_comes_back() {
        let long = "é".repeat(LONGEST);
        let inner = [Raw::Int(1), Raw::Str("ab")];
        let deep = Value::tuple([Value::Int(i128::MIN), Value::unit(), Value::symbol("w")]);
        let nested = |depth| (0..depth).fold(Value::unit(), |inner, _| Value::tuple([inner]));
        for (raw, expected) in [
            (Raw::Nil, Value::Nil),
            (Raw::Bool(true), Value::Bool(true)),
            (Raw::Bool(false), Value::Bool(false)),
            (Raw::Int(0), Value::Int(0)),
            (Raw::Int(63), Value::Int(63)),
            (Raw::Int(64), Value::Int(64)),
            (Raw::Int(-1), Value::Int(-1)),
            (Raw::Int(1 << 55), Value::Int(1 << 55)),
            (Raw::Int(u64::MAX.into()), Value::Int(u64::MAX.into())),
            (Raw::Int(i128::MAX), Value::Int(i128::MAX)),
            (Raw::Int(i128::MIN), Value::Int(i128::MIN)),
            (Raw::Str(""), Value::str("")),
            (Raw::Str("12345678"), Value::str("12345678")),
            (Raw::Str(&long[..32]), Value::str(&long[..32])),
            (Raw::Symbol("s"), Value::symbol("s")),
            (Raw::Symbol("no|word"), Value::str("no|word")),
            (Raw::Opaque, Value::Opaque),
            (
                Raw::Tuple(&inner),
                Value::tuple([Value::Int(1), Value::str("ab")]),
            ),
            (Raw::Value(deep.clone()), deep),
            (Raw::Str(&long), Value::str(&long[..LONGEST])),
            (Raw::Value(nested(DEEPEST - 1)), nested(DEEPEST - 1)),
        ] {
            let back = read_back(&raw);
            match &raw {
                Raw::Opaque => assert!(matches!(back, Value::Opaque)),
                _ => assert_eq!(back, expected),
            }
        }
        assert!(matches!(
            read_back(&Raw::Value(nested(100))),
            Value::Tuple(_)
        ));
    }
}
