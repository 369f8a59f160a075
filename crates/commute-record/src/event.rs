//! Events as bytes: what [`local`](crate::local) writes and
//! [`merge`](crate::merge) reads.
//!
//! Word 0: the object, and the number of the operation among the object's. Word 1:
//! what, how long the bytes and texts of the values are if both are short, and
//! where, as the address of a `Location`, 0 if unknown. Then, if they are not
//! short, a word with both lengths. An action then has its method, how many
//! arguments, these and its result in the way of binary traces, and their texts. A
//! wait has the word of its mutex, the start and end of a block the number of
//! the block.

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Code {
    Acquire,
    Release,
    ReadAcquire,
    ReadRelease,
    /// Of what a lock protects.
    Read,
    /// Likewise.
    Write,
    Action,
    Fork,
    /// The first event of a thread that was forked; not part of the trace.
    Start,
    /// Its last one, likewise.
    Stop,
    Join,
    Wait,
    Wake,
    Notify,
    NotifyAll,
    Begin,
    End,
    New,
    Drop,
}

/// As many as the bits of a code can tell apart: to look one up needs no check. The rest
/// is not written.
const CODES: [Code; 1 << CODE] = [
    Code::Acquire,
    Code::Release,
    Code::ReadAcquire,
    Code::ReadRelease,
    Code::Read,
    Code::Write,
    Code::Action,
    Code::Fork,
    Code::Start,
    Code::Stop,
    Code::Join,
    Code::Wait,
    Code::Wake,
    Code::Notify,
    Code::NotifyAll,
    Code::Begin,
    Code::End,
    Code::New,
    Code::Drop,
    Code::Drop,
    Code::Drop,
    Code::Drop,
    Code::Drop,
    Code::Drop,
    Code::Drop,
    Code::Drop,
    Code::Drop,
    Code::Drop,
    Code::Drop,
    Code::Drop,
    Code::Drop,
    Code::Drop,
];

/// Bytes of the first two words.
pub(crate) const HEADER: usize = 16;

/// Bits of the second word: code, length of the bytes, length of the texts.
const CODE: u32 = 5;
const BYTES: u32 = 5;
const TEXT: u32 = 6;
const LOCATION: u32 = CODE + BYTES + TEXT;

/// All of the second word but the lengths: what and where.
const WHAT: u64 = !(((1 << (BYTES + TEXT)) - 1) << CODE);

/// An event without its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    pub(crate) code: Code,
    /// 0 if there is none.
    pub(crate) object: u32,
    pub(crate) count: u32,
    /// The address of a `Location`.
    pub(crate) location: u64,
}

/// Where code and location are one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place(pub(crate) u64);

impl Header {
    /// The first two words.
    #[inline(always)]
    pub(crate) fn words(&self, lengths: Lengths) -> [u64; 2] {
        // No processor of ours has addresses of more than 48 bits.
        let location = self.location << LOCATION;
        [
            u64::from(self.object) | u64::from(self.count) << 32,
            self.code as u64 | lengths.bits() << CODE | location,
        ]
    }

    /// From the two words.
    #[inline(always)]
    pub(crate) fn from_words([which, what]: [u64; 2]) -> Header {
        Header {
            code: CODES[(what & ((1 << CODE) - 1)) as usize],
            object: which as u32,
            count: (which >> 32) as u32,
            location: what >> LOCATION,
        }
    }

    #[inline(always)]
    pub(crate) fn place(&self) -> Place {
        Place(self.location << CODE | self.code as u64)
    }

    /// Whether these two words begin the operation of the same object that comes `later`
    /// ones after this, and is of the same kind, at the same place.
    #[inline(always)]
    pub(crate) fn is_repeated(&self, [which, what]: [u64; 2], later: u32) -> bool {
        let count = self.count.wrapping_add(later);
        let [same, kind] = Header { count, ..*self }.words(Lengths::default());
        which == same && what & WHAT == kind
    }

    /// Whether the word of a mutex follows.
    pub(crate) fn has_mutex(&self) -> bool {
        matches!(self.code, Code::Wait | Code::Wake)
    }
}

/// How many bytes the values of an action take, and their texts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Lengths {
    pub(crate) bytes: usize,
    pub(crate) text: usize,
}

impl Lengths {
    /// Whether they fit into the second word. No action has no bytes.
    #[inline(always)]
    pub(crate) fn are_short(&self) -> bool {
        self.bytes < 1 << BYTES && self.text < 1 << TEXT
    }

    #[inline(always)]
    fn bits(&self) -> u64 {
        match self.are_short() {
            true => (self.bytes | self.text << BYTES) as u64,
            false => 0,
        }
    }

    /// The word that follows if they are not short.
    pub(crate) fn word(&self) -> u64 {
        self.bytes as u64 | (self.text as u64) << 32
    }

    /// Lengths that are in the second word.
    #[inline(always)]
    pub(crate) fn from_short(what: u64) -> Option<Lengths> {
        let bytes = (what >> CODE) as usize & ((1 << BYTES) - 1);
        let text = (what >> (CODE + BYTES)) as usize & ((1 << TEXT) - 1);
        (bytes > 0).then_some(Lengths { bytes, text })
    }

    /// Lengths that are in a word of their own.
    pub(crate) fn from_word(word: u64) -> Lengths {
        Lengths {
            bytes: word as u32 as usize,
            text: (word >> 32) as usize,
        }
    }
}

/// A mutex, and the number of an operation among its own.
pub(crate) fn mutex_word(mutex: u32, count: u32) -> u64 {
    u64::from(mutex) | u64::from(count) << 32
}

/// The first two words of an event at the start of these bytes, and what follows.
#[inline(always)]
pub(crate) fn split(bytes: &[u8]) -> Option<([u64; 2], &[u8])> {
    let (words, rest) = bytes.split_first_chunk::<HEADER>()?;
    let words = words.as_chunks::<8>().0;
    Some((
        [u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1])],
        rest,
    ))
}

/// The word at the start of these bytes.
#[inline(always)]
pub(crate) fn word(bytes: &[u8]) -> u64 {
    let first = bytes.first_chunk().expect("a word that was written");
    u64::from_le_bytes(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_and_lengths_come_back() {
        for (place, code) in CODES.into_iter().take(19).enumerate() {
            assert_eq!(code as usize, place);
            for (bytes, text) in [
                (0, 0),
                (1, 0),
                (31, 63),
                (32, 0),
                (1, 64),
                (70_000, 1 << 20),
            ] {
                let header = Header {
                    code,
                    object: u32::MAX,
                    count: 7,
                    location: (1 << 48) - 8,
                };
                let lengths = Lengths { bytes, text };
                let words = header.words(lengths);
                assert_eq!(Header::from_words(words), header);
                let first = Header { count: 5, ..header };
                assert!(first.is_repeated(words, 2) && !first.is_repeated(words, 1));
                for other in [
                    Header { object: 1, ..first },
                    Header {
                        location: 8,
                        ..first
                    },
                    Header {
                        code: CODES[(place + 1) % 19],
                        ..first
                    },
                ] {
                    assert!(!other.is_repeated(words, 2));
                }
                let short = (bytes > 0 && lengths.are_short()).then_some(lengths);
                assert_eq!(Lengths::from_short(words[1]), short);
                assert_eq!(Lengths::from_word(lengths.word()), lengths);
            }
        }
    }
}
