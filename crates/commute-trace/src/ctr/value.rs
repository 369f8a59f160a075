//! Values in binary traces: one byte that says what follows, then as little as
//! possible. Texts are not there but in one piece for the whole frame, so that
//! it is checked once whether they are UTF-8.

use commute_model::Value;

use super::cursor::{Cursor, Malformed, write_number};
use crate::limits::{MAX_NESTING, MAX_TEXT};
use crate::text::is_symbol;

/// Up to this one, the byte is an integer itself.
const LAST_SMALL: u8 = 63;
/// From this one on, up to `LAST_SHORT`, a string of 0 to 31 bytes.
const SHORT: u8 = 64;
const LAST_SHORT: u8 = 95;
/// From this one on, up to `LAST_UNSIGNED`, an integer of 1 to 8 bytes follows.
const UNSIGNED: u8 = 96;
const LAST_UNSIGNED: u8 = 103;
const NIL: u8 = 104;
const FALSE: u8 = 105;
const TRUE: u8 = 106;
/// An integer of 16 bytes follows: negative ones, and very large ones.
const WIDE: u8 = 107;
/// The length of a string follows.
const LONG: u8 = 108;
/// The length of a symbol follows.
const SYMBOL: u8 = 109;
/// The number of values follows, then they.
const TUPLE: u8 = 110;
const OPAQUE: u8 = 111;
const NO_RESULT: u8 = 112;

/// What has been written of the values of a frame.
#[derive(Default, Debug)]
pub(super) struct Values {
    pub(super) bytes: Vec<u8>,
    pub(super) text: String,
}

impl Values {
    /// Adds a value that has been found writable.
    pub(super) fn push(&mut self, value: &Value) {
        let bytes = &mut self.bytes;
        match value {
            Value::Nil => bytes.push(NIL),
            Value::Bool(false) => bytes.push(FALSE),
            Value::Bool(true) => bytes.push(TRUE),
            Value::Opaque => bytes.push(OPAQUE),
            Value::Int(number) => match u64::try_from(*number) {
                Ok(small @ 0..=63) => bytes.push(small as u8),
                Ok(number) => {
                    let width = (64 - number.leading_zeros()).div_ceil(8) as u8;
                    bytes.push(UNSIGNED + width - 1);
                    bytes.extend_from_slice(&number.to_le_bytes()[..width.into()]);
                }
                Err(_) => {
                    bytes.push(WIDE);
                    bytes.extend_from_slice(&number.to_le_bytes());
                }
            },
            Value::Str(text) => {
                if text.len() <= usize::from(LAST_SHORT - SHORT) {
                    bytes.push(SHORT + text.len() as u8);
                } else {
                    bytes.push(LONG);
                    write_number(bytes, text.len() as u64);
                }
                self.text.push_str(text);
            }
            Value::Symbol(word) => {
                bytes.push(SYMBOL);
                write_number(bytes, word.len() as u64);
                self.text.push_str(word);
            }
            Value::Tuple(values) => {
                bytes.push(TUPLE);
                write_number(bytes, values.len() as u64);
                for value in values.iter() {
                    self.push(value);
                }
            }
        }
    }

    /// Adds the result of an action.
    pub(super) fn push_result(&mut self, result: Option<&Value>) {
        match result {
            Some(value) => self.push(value),
            None => self.bytes.push(NO_RESULT),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len() + self.text.len()
    }
}

impl Cursor<'_> {
    /// Reads an argument into `slot`.
    #[inline(always)]
    pub(super) fn value(&mut self, slot: &mut Value) -> Result<(), Malformed> {
        match self.byte()? {
            small @ 0..=LAST_SMALL => *slot = Value::Int(small.into()),
            short @ SHORT..=LAST_SHORT => *slot = Value::str(self.text((short - SHORT).into())?),
            width @ UNSIGNED..=LAST_UNSIGNED => {
                let number = self.unsigned(usize::from(width - UNSIGNED) + 1)?;
                *slot = Value::Int(number.into());
            }
            NIL => *slot = Value::Nil,
            other => *slot = self.rare_value(other, 0)?,
        }
        Ok(())
    }

    /// Whether the next result is that there is none; then it has been read.
    #[inline(always)]
    pub(super) fn has_no_result(&mut self) -> Result<bool, Malformed> {
        let none = self.peek() == Some(NO_RESULT);
        if none {
            self.byte()?;
        }
        Ok(none)
    }

    /// The values that are neither short nor frequent.
    #[inline(never)]
    fn rare_value(&mut self, kind: u8, depth: usize) -> Result<Value, Malformed> {
        Ok(match kind {
            FALSE => Value::Bool(false),
            TRUE => Value::Bool(true),
            OPAQUE => Value::Opaque,
            WIDE => Value::Int(i128::from_le_bytes(self.array()?)),
            LONG => Value::str(self.long_text()?),
            SYMBOL => match self.long_text()? {
                word if is_symbol(word) => Value::symbol(word),
                _ => return Err("a symbol that cannot be written as text"),
            },
            TUPLE => {
                if depth >= MAX_NESTING {
                    return Err("tuples that are nested too deeply");
                }
                let count = self.count()?;
                let mut values = Vec::with_capacity(count.min(64));
                for _ in 0..count {
                    let mut value = Value::Nil;
                    match self.peek() {
                        Some(kind @ TUPLE) => {
                            self.byte()?;
                            value = self.rare_value(kind, depth + 1)?;
                        }
                        _ => self.value(&mut value)?,
                    }
                    values.push(value);
                }
                Value::tuple(values)
            }
            _ => return Err("a value of unknown kind"),
        })
    }

    fn long_text(&mut self) -> Result<&str, Malformed> {
        let length = self.number()?;
        if length > MAX_TEXT as u64 {
            return Err("a value that is too long");
        }
        self.text(length as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], text: &str) -> Result<Value, Malformed> {
        let mut value = Value::Nil;
        Cursor::new(bytes, 0, text, 0).value(&mut value)?;
        Ok(value)
    }

    #[test]
    fn values_come_back() {
        let long = "long".repeat(1000);
        let values = [
            Value::Nil,
            Value::Bool(true),
            Value::Bool(false),
            Value::Opaque,
            Value::unit(),
            Value::str(""),
            Value::str("a|b"),
            Value::str(&long[..31]),
            Value::str(&long[..32]),
            Value::str(&long),
            Value::symbol("c1"),
            Value::symbol(&long),
        ];
        let numbers = [
            0,
            1,
            63,
            64,
            255,
            256,
            65_535,
            65_536,
            1 << 40,
            u64::MAX.into(),
        ];
        let signed = [-1, i64::MIN.into(), i128::MIN, i128::MAX, 1 << 64];
        let integers = numbers.into_iter().chain(signed).map(Value::Int);
        let values: Vec<Value> = values.into_iter().chain(integers).collect();
        let nested = Value::tuple([Value::tuple(values.clone()), Value::tuple([Value::unit()])]);
        let mut written = Values::default();
        for value in values.iter().chain([&nested]) {
            written.push(value);
        }
        written.push_result(None);
        written.push_result(Some(&nested));
        let mut cursor = Cursor::new(&written.bytes, 0, &written.text, 0);
        let mut read = Value::Nil;
        for value in values.iter().chain([&nested]) {
            assert_eq!(cursor.value(&mut read), Ok(()));
            assert_eq!(read, *value);
        }
        assert_eq!(cursor.has_no_result(), Ok(true));
        assert_eq!(cursor.has_no_result(), Ok(false));
        assert_eq!(cursor.value(&mut read), Ok(()));
        assert_eq!(read, nested);
        assert!(cursor.is_at_end());
    }

    #[test]
    fn hostile_values_are_refused() {
        for (bytes, text) in [
            (&[113][..], ""),
            (&[255], ""),
            (&[NO_RESULT], ""),
            (&[UNSIGNED], ""),
            (&[LAST_UNSIGNED, 1, 2, 3], ""),
            (&[WIDE, 0, 0], ""),
            (&[SHORT + 4], "abc"),
            (&[SHORT + 1], "é"),
            (&[LONG, 0xff, 0xff, 0x7f], "abc"),
            (&[SYMBOL, 1], "|"),
            (&[TUPLE, 0xff, 0xff, 0xff, 0xff, 0x0f], ""),
            (&[TUPLE, 1], ""),
            (&[], ""),
        ] {
            assert!(read(bytes, text).is_err(), "{bytes:?}");
        }
        let deep = |depth: usize| {
            let mut bytes = [TUPLE, 1].repeat(depth - 1);
            bytes.extend([TUPLE, 0]);
            bytes
        };
        assert!(read(&deep(MAX_NESTING), "").is_ok());
        let error = read(&deep(MAX_NESTING + 1), "");
        assert_eq!(error, Err("tuples that are nested too deeply"));
    }
}
