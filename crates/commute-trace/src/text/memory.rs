//! What short texts were found to mean, so that the next one costs a few
//! instructions: a table from fields to ids, and a table from numbers to ids for
//! names like `V1234`.

use super::word::{ONES, decimal, find, load, not_digits, through};
use crate::decimal::Digits;

/// A field of less than sixteen bytes, together with its delimiter. Two fields
/// are equal iff their words are: the delimiter says how long they are.
#[derive(Clone, Copy)]
pub(super) struct Field {
    low: u64,
    high: u64,
    /// Without the delimiter.
    pub(super) len: usize,
}

impl Field {
    /// The first eight bytes.
    #[inline(always)]
    pub(super) fn low(self) -> u64 {
        self.low
    }

    /// The field that starts at `at` and ends with `delimiter`, if it is short.
    #[inline(always)]
    pub(super) fn read(bytes: &[u8], at: usize, delimiter: u8) -> Option<Field> {
        let low = load(bytes, at);
        let found = find(low, delimiter);
        if found != 0 {
            return Some(Field {
                low: through(low, found),
                high: 0,
                len: found.trailing_zeros() as usize / 8,
            });
        }
        let high = load(bytes, at + 8);
        let found = find(high, delimiter);
        if found == 0 {
            return None;
        }
        Some(Field {
            low,
            high: through(high, found),
            len: 8 + found.trailing_zeros() as usize / 8,
        })
    }
}

/// A table with one place per hash: a newcomer takes the place of the old. `N`
/// is a power of two.
pub(super) struct Memory<V, const N: usize> {
    places: Box<[(u64, u64, V); N]>,
}

impl<V: Copy, const N: usize> Memory<V, N> {
    pub(super) fn new(value: V) -> Memory<V, N> {
        // No field is zero: every field ends with its delimiter.
        Memory {
            places: Box::new([(0, 0, value); N]),
        }
    }

    #[inline(always)]
    fn place(field: Field) -> usize {
        let mixed = (field.low ^ field.high.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - N.trailing_zeros())) as usize
    }

    #[inline(always)]
    pub(super) fn get(&self, field: Field) -> Option<V> {
        let (low, high, value) = &self.places[Self::place(field) % N];
        (*low == field.low && *high == field.high).then_some(*value)
    }

    pub(super) fn put(&mut self, field: Field, value: V) {
        self.places[Self::place(field) % N] = (field.low, field.high, value);
    }
}

/// A name of at most seven bytes that ends with a number without leading zeros.
#[derive(Clone, Copy)]
pub(super) struct Numbered {
    stem: u64,
    stem_len: u32,
    number: u32,
}

impl Numbered {
    /// The number.
    #[inline(always)]
    pub(super) fn number(self) -> u32 {
        self.number
    }

    /// Splits the first `len` bytes of `word`, at most seven.
    #[inline(always)]
    pub(super) fn split(word: u64, len: usize) -> Option<Numbered> {
        let bits = 8 * len as u32;
        let inside = (1u64 << bits) - 1;
        let digits = word ^ (ONES * u64::from(b'0'));
        let others = not_digits(digits) & inside;
        let stem_len = (64 - others.leading_zeros()).div_ceil(8);
        let count = len as u32 - stem_len;
        let digits = (digits & inside) >> (8 * stem_len);
        let first = digits & 0xff;
        if count == 0 || (first == 0 && count > 1) {
            return None;
        }
        Some(Numbered {
            stem: word & ((1u64 << (8 * stem_len)) - 1),
            stem_len,
            // The last digit goes to the highest byte; zeros come in front.
            number: decimal(digits << (64 - 8 * count)),
        })
    }
}

const NONE: u32 = u32::MAX;

/// The ids of the names that consist of one stem, the first to be put in, and a
/// number.
pub(super) struct Numbers {
    stem: u64,
    /// `u32::MAX` as long as there is no stem.
    stem_len: u32,
    /// At most as many names are in the table that gives the ids.
    names: usize,
    ids: Vec<u32>,
}

/// A table with more places than this does not fit into the caches near the
/// processor.
const LARGE: usize = 1 << 15;

impl Numbers {
    pub(super) fn new() -> Numbers {
        Numbers {
            stem: 0,
            stem_len: u32::MAX,
            names: 0,
            ids: Vec::new(),
        }
    }

    /// Whether the name has the stem of those that were put in.
    #[inline(always)]
    pub(super) fn knows(&self, name: Numbered) -> bool {
        name.stem == self.stem && name.stem_len == self.stem_len
    }

    /// Whether lookups are slow one by one.
    #[inline(always)]
    pub(super) fn is_large(&self) -> bool {
        self.ids.len() > LARGE
    }

    #[inline(always)]
    pub(super) fn get(&self, name: Numbered) -> Option<u32> {
        if !self.knows(name) {
            return None;
        }
        self.id(name.number)
    }

    /// The id of the known stem with this number.
    #[inline(always)]
    pub(super) fn id(&self, number: u32) -> Option<u32> {
        match self.ids.get(number as usize) {
            Some(&id) if id != NONE => Some(id),
            _ => None,
        }
    }

    /// Remembers an id. The first stem is the one that stays.
    pub(super) fn put(&mut self, name: Numbered, id: u32) {
        if self.stem_len == u32::MAX {
            (self.stem, self.stem_len) = (name.stem, name.stem_len);
        }
        if self.knows(name) {
            self.put_number(name.number, id);
        }
    }

    /// Remembers the id of the known stem with this number, unless that would
    /// take a lot of memory: at most 64 places for each name.
    pub(super) fn put_number(&mut self, number: u32, id: u32) {
        let place = number as usize;
        self.names = self.names.max(id as usize + 1);
        let limit = 64 + 64 * self.names;
        if place >= self.ids.len() && place < limit {
            self.ids
                .resize((place + 1).next_power_of_two().min(limit), NONE);
        }
        if let Some(slot) = self.ids.get_mut(place) {
            *slot = id;
        }
    }

    /// Writes the known stem with this number to `name`; how long it is.
    pub(super) fn name(&self, number: u32, name: &mut [u8; 24]) -> usize {
        let digits = Digits::new(number);
        let digits = digits.as_bytes();
        let stem = &self.stem.to_le_bytes()[..self.stem_len as usize];
        let length = stem.len() + digits.len();
        name[..stem.len()].copy_from_slice(stem);
        name[stem.len()..length].copy_from_slice(digits);
        length
    }
}

#[cfg(test)]
mod tests {
    use super::super::word::word;
    use super::*;

    fn split(name: &str) -> Option<(usize, u32)> {
        let mut bytes = name.as_bytes().to_vec();
        // What follows must not matter.
        bytes.extend(*b")|7777777");
        let split = Numbered::split(load(&bytes, 0), name.len())?;
        assert_eq!(
            split.stem,
            word(&name.as_bytes()[..split.stem_len as usize])
        );
        Some((split.stem_len as usize, split.number))
    }

    #[test]
    fn names_are_split_before_their_number() {
        for (name, expected) in [
            ("V1", Some((1, 1))),
            ("V0", Some((1, 0))),
            ("V123456", Some((1, 123_456))),
            ("1234567", Some((0, 1_234_567))),
            ("abc12", Some((3, 12))),
            ("a1b2", Some((3, 2))),
            ("V9a8", Some((3, 8))),
            ("V/1", Some((2, 1))),
            ("V:9", Some((2, 9))),
            ("\u{e9}9", Some((2, 9))),
            ("\x005", Some((1, 5))),
            ("V", None),
            ("V1x", None),
            ("V007", None),
            ("V00", None),
            ("", None),
        ] {
            assert_eq!(split(name), expected, "{name:?}");
        }
    }

    #[test]
    fn all_bytes_before_a_digit_are_told_from_digits() {
        for byte in 0..=255u8 {
            let bytes = [byte, b'7', b')', 0, 0, 0, 0, 0];
            let split = Numbered::split(load(&bytes, 0), 2).map(|s| (s.stem_len, s.number));
            let expected = match byte {
                b'0' => None,
                b'1'..=b'9' => Some((0, u32::from(byte - b'0') * 10 + 7)),
                _ => Some((1, 7)),
            };
            assert_eq!(split, expected, "{byte}");
        }
    }

    #[test]
    fn fields_end_at_the_first_delimiter() {
        let mut bytes = b"pool.rs:12\nT1|".to_vec();
        bytes.resize(64, b'\n');
        let field = Field::read(&bytes, 0, b'\n').unwrap();
        assert_eq!(field.len, 10);
        let mut memory = Memory::<u32, 16>::new(0);
        memory.put(field, 7);
        assert_eq!(memory.get(field), Some(7));
        // A prefix, and the same text in front of a zero, are other fields.
        let other = Field::read(b"pool.rs:1\n......", 0, b'\n').unwrap();
        assert_eq!(memory.get(other), None);
        let zero = Field::read(b"pool.rs:12\0\n....", 0, b'\n').unwrap();
        assert_eq!(memory.get(zero), None);
        assert!(Field::read(&[b'x'; 32], 0, b'\n').is_none());
    }

    #[test]
    fn a_huge_number_costs_no_memory() {
        let mut numbers = Numbers::new();
        let name = Numbered::split(word(b"9999999"), 7).unwrap();
        numbers.put(name, 3);
        assert!(numbers.ids.is_empty());
        assert_eq!(numbers.get(name), None);
    }

    #[test]
    fn numbers_become_names_again() {
        let mut numbers = Numbers::new();
        let put = |numbers: &mut Numbers, name: &[u8], id| {
            numbers.put(Numbered::split(word(name), name.len()).unwrap(), id);
        };
        put(&mut numbers, b"ab7", 3);
        put(&mut numbers, b"c8", 4);
        assert_eq!(numbers.id(7), Some(3));
        assert_eq!(numbers.id(8), None);
        let mut name = [0; 24];
        let length = numbers.name(1_234_567, &mut name);
        assert_eq!(&name[..length], b"ab1234567");
    }
}
