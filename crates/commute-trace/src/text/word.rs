//! Eight bytes at a time: finding a byte, digits and plain text in a word
//! (after Warren, *Hacker's Delight*, 6-1; Mycroft's test for a zero byte).

/// Bytes behind the last line that may be looked at (and mean nothing), so that
/// words can be loaded without asking whether they are whole.
pub(super) const PADDING: usize = 64;

pub(super) const ONES: u64 = u64::from_ne_bytes([1; 8]);
const TOPS: u64 = ONES << 7;

/// The eight bytes at `at`, the first in the lowest place.
#[inline(always)]
pub(super) fn load(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        Some(word) => u64::from_le_bytes(*word),
        None => 0,
    }
}

/// The word of the first bytes of `text`.
pub(super) const fn word(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let mut i = 0;
    while i < text.len() {
        bytes[i] = text[i];
        i += 1;
    }
    u64::from_le_bytes(bytes)
}

/// Which bytes of `word` are `byte`, as their highest bits. Exact up to and
/// including the first.
#[inline(always)]
pub(super) fn find(word: u64, byte: u8) -> u64 {
    let difference = word ^ (ONES * u64::from(byte));
    difference.wrapping_sub(ONES) & !difference & TOPS
}

/// The bytes of `word` up to and including the one marked in `found`.
#[inline(always)]
pub(super) fn through(word: u64, found: u64) -> u64 {
    word & (found ^ (found - 1))
}

/// How many bytes there are before `delimiter`, which is among the first 24 from
/// `at` on, if all of them are plain: no control character, no backslash, no bar.
#[inline(always)]
pub(super) fn plain_prefix(bytes: &[u8], at: usize, delimiter: u8) -> Option<usize> {
    for length in [0, 8, 16] {
        let word = load(bytes, at + length);
        let found = find(word, delimiter);
        // What is behind the delimiter counts as plain.
        let rest = match found {
            0 => 0,
            found => !(found ^ (found - 1)),
        };
        let word = word | rest;
        let control = word.wrapping_sub(ONES * 0x20) & !word & TOPS;
        if (control | find(word, b'\\') | find(word, b'|') | find(word, 0x7f)) != 0 {
            return None;
        }
        if found != 0 {
            return Some(length + found.trailing_zeros() as usize / 8);
        }
    }
    None
}

/// The number that the first bytes of `word` write in decimal, and how many
/// digits it has: from one to seven.
#[inline(always)]
pub(super) fn unsigned_prefix(word: u64) -> Option<(u32, usize)> {
    let digits = word ^ (ONES * u64::from(b'0'));
    let others = not_digits(digits);
    let count = others.trailing_zeros() / 8;
    if count == 0 || count > 7 {
        return None;
    }
    Some((decimal(digits << (64 - 8 * count)), count as usize))
}

/// Which bytes are more than 9, as their highest bits.
#[inline(always)]
pub(super) fn not_digits(digits: u64) -> u64 {
    // A byte is at most 9 iff its highest bit is clear, and still is after
    // adding 0x76.
    (((digits & !TOPS) + ONES * 0x76) | digits) & TOPS
}

/// The number that eight digits make up, the first of them in the lowest byte.
#[inline(always)]
pub(super) fn decimal(digits: u64) -> u32 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_prefixes_are_plain() {
        let prefix = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            bytes.resize(64, b'\n');
            plain_prefix(&bytes, 0, b'\'')
        };
        assert_eq!(prefix("'\n"), Some(0));
        assert_eq!(prefix("abc'\\"), Some(3));
        assert_eq!(prefix("été/7'"), Some(7));
        assert_eq!(prefix("a|b'"), None);
        assert_eq!(prefix("12345678901234567890123'"), Some(23));
        assert_eq!(prefix("123456789012345678901234'"), None);
        assert_eq!(prefix("abc\\'"), None);
        assert_eq!(prefix("12345678a\x07'"), None);
        assert_eq!(prefix("12345678a\x7f'"), None);
        assert_eq!(prefix("abc"), None);
    }

    #[test]
    fn numbers_are_read_up_to_seven_digits() {
        assert_eq!(unsigned_prefix(word(b"7,999")), Some((7, 1)));
        assert_eq!(unsigned_prefix(word(b"1234567)")), Some((1_234_567, 7)));
        assert_eq!(unsigned_prefix(word(b"007|")), Some((7, 3)));
        assert_eq!(unsigned_prefix(word(b"12345678")), None);
        assert_eq!(unsigned_prefix(word(b"-1")), None);
    }
}
