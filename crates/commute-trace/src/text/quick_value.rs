//! The quick way through the values of actions: short strings, short integers
//! and `nil`. Other values are read as usual.

use commute_model::Value;

use super::value::parse_value;
use super::word::{load, plain_prefix, unsigned_prefix, word};
use crate::recycle::Slots;

/// Bytes, of which a part is known to be UTF-8.
#[derive(Clone, Copy)]
pub(super) struct Utf8Window<'a> {
    pub(super) bytes: &'a [u8],
    /// What is known, and where in `bytes` it starts.
    pub(super) text: &'a str,
    pub(super) start: usize,
}

/// How many bytes are looked at to find out whether they are UTF-8: about as
/// many as a batch of actions has.
const WINDOW: usize = 1 << 16;

impl<'a> Utf8Window<'a> {
    /// Nothing is known.
    pub(super) fn nothing(bytes: &'a [u8]) -> Utf8Window<'a> {
        Utf8Window {
            bytes,
            text: "",
            start: 0,
        }
    }

    /// Finds out about some of the bytes from `start` to `end`: about all of
    /// them at once costs less than about each string when it comes.
    pub(super) fn find_out(bytes: &'a [u8], start: usize, end: usize) -> Utf8Window<'a> {
        let near = &bytes[start..end.min(start + WINDOW)];
        let valid = match std::str::from_utf8(near) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&near[..error.valid_up_to()]).unwrap_or(""),
        };
        Utf8Window {
            bytes,
            text: valid,
            start,
        }
    }

    fn str(&self, from: usize, to: usize) -> Option<&'a str> {
        self.text
            .get(from.checked_sub(self.start)?..to - self.start)
    }
}

/// Reads arguments and result of an action; `at` is after the parenthesis. Where
/// the operation ends, which must be at a `|`.
#[inline]
pub(super) fn quick_call(
    window: Utf8Window<'_>,
    mut at: usize,
    slots: &mut Slots<'_>,
) -> Option<usize> {
    let bytes = window.bytes;
    if *bytes.get(at)? != b')' {
        loop {
            at = value(window, at, slots.arg())?;
            match bytes.get(at)? {
                b',' => at += 1,
                b')' => break,
                _ => return None,
            }
        }
    }
    at += 1;
    if *bytes.get(at)? == b'/' {
        at = value(window, at + 1, slots.result())?;
    } else {
        slots.no_result();
    }
    (bytes.get(at) == Some(&b'|')).then_some(at)
}

/// Reads the value at `start` into `slot`; where it ends. If it goes on there, as
/// `12ab` does, the caller finds no delimiter.
#[inline(always)]
fn value(window: Utf8Window<'_>, start: usize, slot: &mut Value) -> Option<usize> {
    const NIL: u64 = word(b"nil");
    let bytes = window.bytes;
    match bytes.get(start)? {
        b'\'' => {
            if let Some(string) = quoted(window, start + 1) {
                *slot = Value::str(string);
                return Some(start + string.len() + 2);
            }
        }
        b'0'..=b'9' => {
            if let Some((number, length)) = unsigned_prefix(load(bytes, start)) {
                *slot = Value::Int(number.into());
                return Some(start + length);
            }
        }
        b'n' if load(bytes, start) & 0xff_ffff == NIL => {
            *slot = Value::Nil;
            return Some(start + 3);
        }
        _ => {}
    }
    other_value(bytes, start, slot)
}

/// The string of at most 23 plain bytes that starts here, without its quotes.
#[inline(always)]
fn quoted(window: Utf8Window<'_>, start: usize) -> Option<&str> {
    let length = plain_prefix(window.bytes, start, b'\'')?;
    window.str(start, start + length)
}

#[inline(never)]
fn other_value(bytes: &[u8], mut at: usize, slot: &mut Value) -> Option<usize> {
    *slot = parse_value(bytes, &mut at, 0).ok()?;
    Some(at)
}
