//! Values in binary traces: one byte that says what follows, then as little as
//! possible. Texts are not there but in one piece for the whole frame, so that
//! it is checked once whether they are UTF-8.

use commute_model::{Text, Value};

use super::cursor::{Cursor, Malformed};
use super::value_bytes::*;
use crate::limits::{MAX_NESTING, MAX_TEXT};
use crate::text::is_symbol;

/// What has been written of the values of a frame.
#[derive(Default, Debug)]
pub(super) struct Values {
    pub(super) bytes: Vec<u8>,
    pub(super) text: Vec<u8>,
}

impl Values {
    /// Adds a value that has been found writable.
    pub(super) fn push(&mut self, value: &Value) {
        let bytes = &mut self.bytes;
        match value {
            Value::Nil => put_nil(bytes),
            Value::Bool(b) => put_boolean(bytes, *b),
            Value::Opaque => put_opaque(bytes),
            Value::Int(number) => put_integer(bytes, *number),
            Value::Str(text) => {
                put_string(bytes, text.len());
                self.text.extend_from_slice(text.as_bytes());
            }
            Value::Symbol(word) => {
                put_symbol(bytes, word.len());
                self.text.extend_from_slice(word.as_bytes());
            }
            Value::Tuple(values) => {
                put_tuple(bytes, values.len());
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
            None => put_no_result(&mut self.bytes),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len() + self.text.len()
    }
}

/// Writes an integer, mostly where there was one: then there is nothing to drop.
#[inline(always)]
fn set_integer(slot: &mut Value, number: i128) {
    match slot {
        Value::Int(old) => *old = number,
        other => *other = Value::Int(number),
    }
}

/// Writes a string, likewise.
#[inline(always)]
fn set_string(slot: &mut Value, text: Text) {
    match slot {
        Value::Str(old) => *old = text,
        other => *other = Value::Str(text),
    }
}

impl Cursor<'_> {
    /// Reads an argument into `slot`.
    #[inline(always)]
    pub(super) fn value(&mut self, slot: &mut Value) -> Result<(), Malformed> {
        // Integers and short strings, if what follows can be loaded at once.
        let Some([kind, after @ ..]) = self.ahead::<9>() else {
            return self.any_value(slot);
        };
        match *kind {
            small @ 0..=LAST_SMALL => {
                self.pass(1);
                set_integer(slot, small.into());
            }
            width @ UNSIGNED..=LAST_UNSIGNED => {
                let width = usize::from(width - UNSIGNED) + 1;
                self.pass(1 + width);
                let number = u64::from_le_bytes(*after) & (u64::MAX >> (64 - 8 * width));
                set_integer(slot, number.into());
            }
            short @ SHORT..=LAST_SHORT => {
                self.pass(1);
                set_string(slot, self.kept_text((short - SHORT).into())?);
            }
            _ => return self.any_value(slot),
        }
        Ok(())
    }

    /// The same for all values, also where less than the longest of these is left.
    #[inline(never)]
    fn any_value(&mut self, slot: &mut Value) -> Result<(), Malformed> {
        match self.byte()? {
            small @ 0..=LAST_SMALL => set_integer(slot, small.into()),
            short @ SHORT..=LAST_SHORT => {
                set_string(slot, self.kept_text((short - SHORT).into())?);
            }
            width @ UNSIGNED..=LAST_UNSIGNED => {
                let number = self.unsigned(usize::from(width - UNSIGNED) + 1)?;
                set_integer(slot, number.into());
            }
            NIL if matches!(slot, Value::Nil) => {}
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
        let text = std::str::from_utf8(&written.text).unwrap();
        let mut cursor = Cursor::new(&written.bytes, 0, text, 0);
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
