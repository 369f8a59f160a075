//! Reading the payload of a frame from front to back, never beyond its end.

use commute_model::Text;

/// What a payload says that no writer says.
pub(super) type Malformed = &'static str;

/// A place in a payload, and one in the texts of its values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    text: &'a str,
    text_at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize, text: &'a str, text_at: usize) -> Cursor<'a> {
        Cursor {
            bytes,
            at,
            text,
            text_at,
        }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn text_position(&self) -> usize {
        self.text_at
    }

    /// Whether all bytes and all texts have been read.
    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len() && self.text_at >= self.text.len()
    }

    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline(always)]
    pub(super) fn byte(&mut self) -> Result<u8, Malformed> {
        let byte = self.peek().ok_or(SHORT_OF_BYTES)?;
        self.at += 1;
        Ok(byte)
    }

    /// The next `N` bytes, which are not yet read; none if there are fewer.
    #[inline(always)]
    pub(super) fn ahead<const N: usize>(&self) -> Option<&'a [u8; N]> {
        self.bytes.get(self.at..)?.first_chunk()
    }

    /// Moves on by so many bytes, which are there.
    #[inline(always)]
    pub(super) fn pass(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// The next `N` bytes.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        let array = rest.first_chunk::<N>().ok_or(SHORT_OF_BYTES)?;
        self.at += N;
        Ok(*array)
    }

    /// A number of `width` bytes, from 1 to 8.
    #[inline(always)]
    pub(super) fn unsigned(&mut self, width: usize) -> Result<u64, Malformed> {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        if width > rest.len() {
            return Err(SHORT_OF_BYTES);
        }
        self.at += width;
        // One load where there is room for it, which is nearly always.
        Ok(match rest.first_chunk::<8>() {
            Some(bytes) => u64::from_le_bytes(*bytes) & (u64::MAX >> (64 - 8 * width)),
            None => {
                let mut bytes = [0; 8];
                bytes[..width].copy_from_slice(&rest[..width]);
                u64::from_le_bytes(bytes)
            }
        })
    }

    /// A number of variable length.
    #[inline(always)]
    pub(super) fn number(&mut self) -> Result<u64, Malformed> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        self.long_number(first)
    }

    fn long_number(&mut self, first: u8) -> Result<u64, Malformed> {
        let mut number = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if (bits << shift) >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("a number that does not fit into 64 bits")
    }

    /// A number of things that follow and take at least a byte each.
    #[inline(always)]
    pub(super) fn count(&mut self) -> Result<usize, Malformed> {
        let count = self.number()?;
        if count > self.bytes.len().saturating_sub(self.at) as u64 {
            return Err("a count that is larger than what follows");
        }
        Ok(count as usize)
    }

    /// Bytes preceded by how many they are.
    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = self.count()?;
        let bytes = &self.bytes[self.at..self.at + length];
        self.at += length;
        Ok(bytes)
    }

    /// The next `length` bytes of the texts.
    pub(super) fn text(&mut self, length: usize) -> Result<&'a str, Malformed> {
        let end = self.text_at + length;
        let text = self.text.get(self.text_at..end);
        self.text_at = end;
        text.ok_or(SHORT_OF_TEXT)
    }

    /// The same, to be kept.
    #[inline(always)]
    pub(super) fn kept_text(&mut self, length: usize) -> Result<Text, Malformed> {
        let text = Text::part_of(self.text, self.text_at, length);
        self.text_at += length;
        text.ok_or(SHORT_OF_TEXT)
    }
}

const SHORT_OF_TEXT: Malformed = "a text that is not there";
const SHORT_OF_BYTES: Malformed = "an item that it ends in the middle of";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctr::value_bytes::put_number;

    fn cursor(bytes: &[u8]) -> Cursor<'_> {
        Cursor::new(bytes, 0, "", 0)
    }

    #[test]
    fn numbers_come_back() {
        for number in [
            0,
            1,
            127,
            128,
            300,
            u64::from(u32::MAX),
            u64::MAX - 1,
            u64::MAX,
        ] {
            let mut out = Vec::new();
            put_number(&mut out, number);
            assert_eq!(cursor(&out).number(), Ok(number));
        }
        for width in 1..=8 {
            let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
            let expected = 0x0807_0605_0403_0201 & (u64::MAX >> (64 - 8 * width));
            assert_eq!(cursor(&bytes).unsigned(width), Ok(expected));
            assert_eq!(cursor(&bytes[..width]).unsigned(width), Ok(expected));
            assert!(cursor(&bytes[..width - 1]).unsigned(width).is_err());
        }
    }

    #[test]
    fn hostile_numbers_are_refused() {
        for bytes in [
            &[0xff; 10][..],
            &[0x80; 11],
            &[0x80],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
        ] {
            assert!(cursor(bytes).number().is_err(), "{bytes:?}");
        }
        assert!(cursor(&[3, 0, 0]).bytes().is_err());
        assert_eq!(cursor(&[2, 7, 8]).bytes(), Ok(&[7, 8][..]));
    }
}
