//! Short texts that need no allocation.
//!
//! Keys and values of recorded actions are mostly short strings, and they are
//! copied, compared and hashed millions of times a second. A text of up to 22
//! bytes is kept in place, padded with zeros, so that two of them are compared
//! and hashed by words and not by bytes.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// The longest text that is kept in place.
const SHORT: usize = 22;

/// For each length, which bits are those of the text: of the first 16 bytes, and of the
/// last 8.
const KEPT: [(u128, u64); SHORT + 1] = {
    let mut kept = [(0, 0); SHORT + 1];
    let mut length = 1;
    while length <= SHORT {
        let (first, last) = kept[length - 1];
        kept[length] = match length {
            1..=14 => (first << 8 | 0xff, 0),
            15..=16 => (first << 8 | 0xff, last << 8 | 0xff),
            _ => (first, last << 8 | 0xff),
        };
        length += 1;
    }
    kept
};

/// A piece of text that does not change.
pub struct Text(Repr);

/// A text of up to [`SHORT`] bytes is always `Short`, so equal texts have equal
/// representations.
#[derive(Clone)]
enum Repr {
    /// The length, and the bytes followed by zeros.
    Short(u8, [u8; SHORT]),
    Long(Arc<str>),
}

impl Text {
    /// The bytes of the text.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Repr::Short(length, bytes) => &bytes[..usize::from(*length)],
            Repr::Long(text) => text.as_bytes(),
        }
    }

    /// So many bytes of `text` from `start` on; none if that is no text.
    #[inline(always)]
    pub fn part_of(text: &str, start: usize, length: usize) -> Option<Text> {
        let part = text.get(start..start.checked_add(length)?)?;
        // To copy more than that, if there is more, and to clear the rest takes less
        // than to copy as much as there is.
        match text.as_bytes()[start..].first_chunk::<SHORT>() {
            Some(more) if length <= SHORT => {
                let (first, last) = KEPT[length];
                let first = u128::from_le_bytes(*more.first_chunk()?) & first;
                let last = u64::from_le_bytes(*more.last_chunk()?) & last;
                let mut bytes = [0; SHORT];
                *bytes.first_chunk_mut()? = first.to_le_bytes();
                *bytes.last_chunk_mut()? = last.to_le_bytes();
                Some(Text(Repr::Short(length as u8, bytes)))
            }
            _ => Some(part.into()),
        }
    }

    /// How many bytes it has.
    #[inline]
    pub fn len(&self) -> usize {
        self.as_bytes().len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text as a `str`.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Short(..) => {
                std::str::from_utf8(self.as_bytes()).expect("made from a str, and never changed")
            }
            Repr::Long(text) => text,
        }
    }
}

impl Clone for Text {
    #[inline]
    fn clone(&self) -> Text {
        Text(self.0.clone())
    }

    /// Overwrites a short text by another without looking at what was there.
    #[inline]
    fn clone_from(&mut self, other: &Text) {
        match (&mut self.0, &other.0) {
            (Repr::Short(length, bytes), Repr::Short(from, text)) => {
                *length = *from;
                *bytes = *text;
            }
            (repr, other) => *repr = other.clone(),
        }
    }
}

impl From<&str> for Text {
    #[inline]
    fn from(text: &str) -> Text {
        if text.len() > SHORT {
            return Text(Repr::Long(text.into()));
        }
        let mut bytes = [0; SHORT];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Text(Repr::Short(text.len() as u8, bytes))
    }
}

/// The bytes of a short text as three words; the last overlaps the one before.
#[inline(always)]
fn words(bytes: &[u8; SHORT]) -> [u64; 3] {
    [0, 8, SHORT - 8].map(|at| {
        let word = bytes[at..at + 8].first_chunk::<8>();
        u64::from_le_bytes(*word.expect("eight bytes"))
    })
}

impl PartialEq for Text {
    #[inline(always)]
    fn eq(&self, other: &Text) -> bool {
        match (&self.0, &other.0) {
            (Repr::Short(a, mine), Repr::Short(b, theirs)) => {
                let ([a0, a1, a2], [b0, b1, b2]) = (words(mine), words(theirs));
                // All at once: texts that are compared are mostly equal.
                (a0 ^ b0) | (a1 ^ b1) | (a2 ^ b2) | u64::from(a ^ b) == 0
            }
            (Repr::Long(a), Repr::Long(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Text {}

impl Hash for Text {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Short(length, bytes) => {
                let [first, second, last] = words(bytes);
                // Multiplying into twice the width lets the last letters of a
                // text, in which keys differ, reach every bit.
                let first = first ^ 0x9e37_79b9_7f4a_7c15;
                let rest = second ^ last.rotate_left(8) ^ u64::from(*length);
                let product = u128::from(first) * u128::from(rest ^ 0xbf58_476d_1ce4_e5b9);
                state.write_u64(product as u64 ^ (product >> 64) as u64);
            }
            Repr::Long(text) => text.hash(state),
        }
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Text) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Text) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher;

    use rustc_hash::FxBuildHasher;

    use super::*;

    #[test]
    fn texts_of_every_length_are_themselves() {
        let long = "äbcdefghijklmnopqrstuvwxyz0123456789";
        let ends = (0..=long.len()).filter(|&end| long.is_char_boundary(end));
        let all: Vec<&str> = ends.map(|end| &long[..end]).collect();
        for a in &all {
            let text = Text::from(*a);
            assert_eq!(text.as_str(), *a);
            assert_eq!(text.len(), a.len());
            assert_eq!(text.to_string(), *a);
            for b in &all {
                let other = Text::from(*b);
                assert_eq!(text == other, a == b);
                assert_eq!(text.cmp(&other), a.cmp(b));
                assert_eq!(text == **b, a == b);
                let mut copy = text.clone();
                copy.clone_from(&other);
                assert_eq!(copy, other);
                let hash = |text: &Text| FxBuildHasher.hash_one(text);
                assert_eq!(hash(&text) == hash(&other), a == b);
            }
        }
    }

    #[test]
    fn parts_are_what_was_cut_out() {
        let long = "äbcdefghijklmnopqrstuvwxyz0123456789é";
        for start in 0..=long.len() + 1 {
            for length in 0..=long.len() + 1 {
                let expected = long.get(start..start + length).map(Text::from);
                assert_eq!(Text::part_of(long, start, length), expected);
            }
        }
        assert_eq!(Text::part_of(long, 1, usize::MAX), None);
    }

    #[test]
    fn zeros_at_the_end_count() {
        assert_ne!(Text::from("a"), Text::from("a\0"));
    }

    #[test]
    fn a_text_is_three_words() {
        assert_eq!(size_of::<Text>(), 24);
    }
}
