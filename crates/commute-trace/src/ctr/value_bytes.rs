//! The bytes of the values of a binary trace, for writers that have no
//! [`Value`](commute_model::Value): a recorder writes them while the program
//! waits.
//!
//! Nothing is checked: the caller keeps to [`MAX_TEXT`](crate::MAX_TEXT),
//! [`MAX_NESTING`](crate::MAX_NESTING) and [`is_symbol`](crate::is_symbol).

/// Up to this one, the byte is an integer itself.
pub(super) const LAST_SMALL: u8 = 63;
/// From this one on, up to `LAST_SHORT`, a string of 0 to 31 bytes.
pub(super) const SHORT: u8 = 64;
pub(super) const LAST_SHORT: u8 = 95;
/// From this one on, up to `LAST_UNSIGNED`, an integer of 1 to 8 bytes follows.
pub(super) const UNSIGNED: u8 = 96;
pub(super) const LAST_UNSIGNED: u8 = 103;
pub(super) const NIL: u8 = 104;
pub(super) const FALSE: u8 = 105;
pub(super) const TRUE: u8 = 106;
/// An integer of 16 bytes follows: negative ones, and very large ones.
pub(super) const WIDE: u8 = 107;
/// The length of a string follows.
pub(super) const LONG: u8 = 108;
/// The length of a symbol follows.
pub(super) const SYMBOL: u8 = 109;
/// The number of values follows, then they.
pub(super) const TUPLE: u8 = 110;
pub(super) const OPAQUE: u8 = 111;
pub(super) const NO_RESULT: u8 = 112;

/// Where the bytes of values go. Their texts go elsewhere.
pub trait ValueBytes {
    /// One byte.
    fn byte(&mut self, byte: u8);
    /// The lowest `width` bytes of a number, at most 8.
    fn low_bytes(&mut self, number: u64, width: usize);
    /// A byte and then the lowest `width` bytes of a number, at most 8.
    #[inline(always)]
    fn byte_and_low_bytes(&mut self, byte: u8, number: u64, width: usize) {
        self.byte(byte);
        self.low_bytes(number, width);
    }
}

impl ValueBytes for Vec<u8> {
    #[inline]
    fn byte(&mut self, byte: u8) {
        self.push(byte);
    }

    #[inline]
    fn low_bytes(&mut self, number: u64, width: usize) {
        self.extend_from_slice(&number.to_le_bytes()[..width]);
    }
}

/// No value.
#[inline(always)]
pub fn put_nil(out: &mut impl ValueBytes) {
    out.byte(NIL);
}

/// `true` or `false`.
#[inline(always)]
pub fn put_boolean(out: &mut impl ValueBytes, b: bool) {
    out.byte(if b { TRUE } else { FALSE });
}

/// Something that cannot be observed.
#[inline(always)]
pub fn put_opaque(out: &mut impl ValueBytes) {
    out.byte(OPAQUE);
}

/// An action without a result.
#[inline(always)]
pub fn put_no_result(out: &mut impl ValueBytes) {
    out.byte(NO_RESULT);
}

/// An integer: at most [`MOST_INTEGER`] bytes.
#[inline(always)]
pub fn put_integer(out: &mut impl ValueBytes, number: i128) {
    match u64::try_from(number) {
        Ok(number) => {
            let width = (64 - number.leading_zeros()).div_ceil(8) as u8;
            let (byte, width) = match number <= LAST_SMALL.into() {
                true => (number as u8, 0),
                false => (UNSIGNED + width - 1, width),
            };
            out.byte_and_low_bytes(byte, number, width.into());
        }
        Err(_) => {
            out.byte(WIDE);
            out.low_bytes(number as u64, 8);
            out.low_bytes((number >> 64) as u64, 8);
        }
    }
}

/// The longest integer.
pub const MOST_INTEGER: usize = 17;

/// A string whose text has this length: at most [`MOST_HEAD`] bytes.
#[inline(always)]
pub fn put_string(out: &mut impl ValueBytes, length: usize) {
    if length <= usize::from(LAST_SHORT - SHORT) {
        out.byte(SHORT + length as u8);
    } else {
        out.byte(LONG);
        put_number(out, length as u64);
    }
}

/// A symbol, likewise.
pub fn put_symbol(out: &mut impl ValueBytes, length: usize) {
    out.byte(SYMBOL);
    put_number(out, length as u64);
}

/// A tuple of so many values, which follow: at most [`MOST_HEAD`] bytes.
pub fn put_tuple(out: &mut impl ValueBytes, length: usize) {
    out.byte(TUPLE);
    put_number(out, length as u64);
}

/// The longest start of a string, symbol or tuple.
pub const MOST_HEAD: usize = 11;

/// A number of the format: seven bits a byte, the lowest first.
#[inline(always)]
pub fn put_number(out: &mut impl ValueBytes, mut number: u64) {
    while number >= 0x80 {
        out.byte(number as u8 | 0x80);
        number >>= 7;
    }
    out.byte(number as u8);
}
