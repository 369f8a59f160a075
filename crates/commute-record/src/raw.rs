//! Values on their way from a thread to the collector.
//!
//! A value is a word whose low byte says what it is, with what fits above it,
//! and words that follow. Nothing is allocated to write one.

use commute_model::Value;
use commute_trace::{MAX_NESTING, is_symbol};
use smallvec::SmallVec;

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

const NIL: u64 = 0;
const BOOL: u64 = 1;
/// 56 bits, signed, above.
const SMALL: u64 = 2;
/// Two words follow: low and high.
const INT: u64 = 3;
/// The length above, the bytes in words that follow.
const STR: u64 = 4;
const SYMBOL: u64 = 5;
const OPAQUE: u64 = 6;
/// The length above, the elements follow.
const TUPLE: u64 = 7;

/// A longer string is cut: a trace may not contain it.
const LONGEST: usize = 1 << 12;

/// So deep are tuples at most: several results are one more.
const DEEPEST: usize = MAX_NESTING - 1;

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

    /// How many words it takes.
    #[inline(always)]
    pub(crate) fn words(&self) -> usize {
        match self {
            Raw::Nil | Raw::Bool(_) | Raw::Opaque => 1,
            Raw::Int(n) if is_small(*n) => 1,
            Raw::Int(_) => 3,
            Raw::Str(text) | Raw::Symbol(text) => 1 + cut(text).len().div_ceil(8),
            Raw::Tuple(values) => 1 + values.iter().map(Raw::words).sum::<usize>(),
            Raw::Value(value) => words_of(value, 0),
        }
    }

    /// Puts the words one by one.
    #[inline(always)]
    pub(crate) fn put(&self, put: &mut impl FnMut(u64)) {
        match self {
            Raw::Nil => put(NIL),
            Raw::Bool(b) => put(BOOL | u64::from(*b) << 8),
            Raw::Int(n) => put_int(*n, put),
            Raw::Str(text) => put_text(STR, text, put),
            Raw::Symbol(text) => put_symbol(text, put),
            Raw::Opaque => put(OPAQUE),
            Raw::Tuple(values) => put_tuple(values, put),
            Raw::Value(value) => put_value(value, 0, put),
        }
    }
}

fn put_tuple(values: &[Raw<'_>], put: &mut dyn FnMut(u64)) {
    put(TUPLE | (values.len() as u64) << 8);
    for value in values {
        value.put(&mut |word| put(word));
    }
}

fn words_of(value: &Value, depth: usize) -> usize {
    match value {
        Value::Tuple(_) if depth >= DEEPEST => 1,
        Value::Nil | Value::Bool(_) | Value::Opaque => 1,
        Value::Int(n) => Raw::Int(*n).words(),
        Value::Str(text) | Value::Symbol(text) => Raw::Str(text.as_str()).words(),
        Value::Tuple(values) => {
            let words = values.iter().map(|value| words_of(value, depth + 1));
            1 + words.sum::<usize>()
        }
    }
}

/// A value of the program's own making, of which a trace may not be able to hold all.
fn put_value(value: &Value, depth: usize, put: &mut dyn FnMut(u64)) {
    match value {
        Value::Tuple(_) if depth >= DEEPEST => put(OPAQUE),
        Value::Nil => put(NIL),
        Value::Bool(b) => put(BOOL | u64::from(*b) << 8),
        Value::Int(n) => put_int(*n, &mut |word| put(word)),
        Value::Str(text) => put_text(STR, text.as_str(), put),
        Value::Symbol(text) => put_symbol(text.as_str(), put),
        Value::Opaque => put(OPAQUE),
        Value::Tuple(values) => {
            put(TUPLE | (values.len() as u64) << 8);
            for value in values.iter() {
                put_value(value, depth + 1, put);
            }
        }
    }
}

#[inline(always)]
fn is_small(n: i128) -> bool {
    let low = n as i64;
    i128::from(low) == n && low << 8 >> 8 == low
}

#[inline(always)]
fn put_int(n: i128, put: &mut impl FnMut(u64)) {
    if is_small(n) {
        put(SMALL | (n as u64) << 8);
    } else {
        put(INT);
        put(n as u64);
        put((n >> 64) as u64);
    }
}

/// What is no word is a text: a trace could not hold it.
fn put_symbol(text: &str, put: &mut dyn FnMut(u64)) {
    let kind = match is_symbol(cut(text)) {
        true => SYMBOL,
        false => STR,
    };
    put_text(kind, text, put);
}

fn put_text(kind: u64, text: &str, put: &mut dyn FnMut(u64)) {
    let bytes = cut(text).as_bytes();
    put(kind | (bytes.len() as u64) << 8);
    for part in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        put(u64::from_le_bytes(word));
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

/// The value that was put, from words that come one by one.
pub(crate) fn take(next: &mut impl FnMut() -> u64) -> Value {
    let word = next();
    let above = word >> 8;
    match word & 0xff {
        NIL => Value::Nil,
        BOOL => Value::Bool(above != 0),
        SMALL => Value::Int(i128::from(word as i64 >> 8)),
        INT => {
            let low = u128::from(next());
            Value::Int((u128::from(next()) << 64 | low) as i128)
        }
        STR => take_text(above as usize, next, Value::str),
        SYMBOL => take_text(above as usize, next, Value::symbol),
        TUPLE => Value::tuple((0..above).map(|_| take_nested(next)).collect::<Vec<_>>()),
        _ => Value::Opaque,
    }
}

fn take_nested(next: &mut dyn FnMut() -> u64) -> Value {
    take(&mut || next())
}

fn take_text(
    length: usize,
    next: &mut impl FnMut() -> u64,
    make: impl FnOnce(&str) -> Value,
) -> Value {
    let mut bytes: SmallVec<[u8; 64]> = SmallVec::new();
    while bytes.len() < length {
        bytes.extend_from_slice(&next().to_le_bytes());
    }
    match std::str::from_utf8(&bytes[..length]) {
        Ok(text) => make(text),
        // Cannot be: a `str` was put.
        Err(_) => Value::Opaque,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many tuples around it.
    fn nested(depth: usize, inner: Value) -> Value {
        (0..depth).fold(inner, |value, _| Value::tuple([value]))
    }

    #[test]
    fn every_value_comes_back() {
        let long = "é".repeat(LONGEST);
        let inner = [Raw::Int(1), Raw::Str("ab")];
        let deep = Value::tuple([Value::Int(i128::MIN), Value::unit(), Value::symbol("w")]);
        for (raw, expected) in [
            (Raw::Nil, Value::Nil),
            (Raw::Bool(true), Value::Bool(true)),
            (Raw::Bool(false), Value::Bool(false)),
            (Raw::Int(0), Value::Int(0)),
            (Raw::Int(-1), Value::Int(-1)),
            (Raw::Int((1 << 55) - 1), Value::Int((1 << 55) - 1)),
            (Raw::Int(1 << 55), Value::Int(1 << 55)),
            (Raw::Int(-(1 << 55)), Value::Int(-(1 << 55))),
            (Raw::Int(-(1 << 55) - 1), Value::Int(-(1 << 55) - 1)),
            (Raw::Int(u64::MAX.into()), Value::Int(u64::MAX.into())),
            (Raw::Int(i128::MIN), Value::Int(i128::MIN)),
            (Raw::Str(""), Value::str("")),
            (Raw::Str("12345678"), Value::str("12345678")),
            (Raw::Str("123456789"), Value::str("123456789")),
            (Raw::Symbol("s"), Value::symbol("s")),
            (Raw::Symbol("two words"), Value::str("two words")),
            (Raw::Value(Value::symbol("7")), Value::str("7")),
            (
                Raw::Value(nested(40, Value::Nil)),
                nested(DEEPEST, Value::Opaque),
            ),
            (Raw::Opaque, Value::Opaque),
            (
                Raw::Tuple(&inner),
                Value::tuple([Value::Int(1), Value::str("ab")]),
            ),
            (Raw::Value(deep.clone()), deep),
            (Raw::Str(&long), Value::str(&long[..LONGEST])),
        ] {
            let mut words = Vec::new();
            raw.put(&mut |word| words.push(word));
            assert_eq!(words.len(), raw.words(), "{raw:?}");
            let mut words = words.into_iter();
            assert_eq!(take(&mut || words.next().unwrap()), expected);
            assert_eq!(words.next(), None);
        }
    }
}
