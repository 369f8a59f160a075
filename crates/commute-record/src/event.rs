//! Events as words: what [`local`](crate::local) writes and
//! [`merge`](crate::merge) reads.
//!
//! Word 0: what, how many arguments and results, the object. Word 1: the number
//! of the operation among the object's, the method or block. Word 2: where, as
//! the address of a `Location`, 0 if unknown. For waits word 3: the mutex and the
//! number of the operation among its own. Then the values.

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Code {
    Acquire,
    Release,
    ReadAcquire,
    ReadRelease,
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
    Action,
    /// Of what a lock protects.
    Read,
    /// Likewise.
    Write,
}

const CODES: [Code; 19] = [
    Code::Acquire,
    Code::Release,
    Code::ReadAcquire,
    Code::ReadRelease,
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
    Code::Action,
    Code::Read,
    Code::Write,
];

/// Words before the values.
pub(crate) const HEADER: usize = 3;

/// An event without its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) code: Code,
    pub(crate) args: u8,
    pub(crate) results: u8,
    /// 0 if there is none.
    pub(crate) object: u32,
    pub(crate) count: u32,
    /// Of the method or block; 0 if there is none.
    pub(crate) name: u32,
    /// The address of a `Location`.
    pub(crate) location: u64,
}

impl Header {
    #[inline(always)]
    pub(crate) fn words(&self) -> [u64; HEADER] {
        [
            self.code as u64
                | u64::from(self.args) << 8
                | u64::from(self.results) << 16
                | u64::from(self.object) << 32,
            u64::from(self.count) | u64::from(self.name) << 32,
            self.location,
        ]
    }

    #[inline]
    pub(crate) fn from_words([what, which, location]: [u64; HEADER]) -> Header {
        Header {
            code: CODES[(what & 0xff) as usize],
            args: (what >> 8) as u8,
            results: (what >> 16) as u8,
            object: (what >> 32) as u32,
            count: which as u32,
            name: (which >> 32) as u32,
            location,
        }
    }

    /// Whether the word of a mutex follows.
    pub(crate) fn has_mutex(&self) -> bool {
        matches!(self.code, Code::Wait | Code::Wake)
    }
}

/// A mutex, and the number of an operation among its own.
pub(crate) fn mutex_word(mutex: u32, count: u32) -> u64 {
    u64::from(mutex) | u64::from(count) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_come_back() {
        for (place, code) in CODES.into_iter().enumerate() {
            assert_eq!(code as usize, place);
            let header = Header {
                code,
                args: 3,
                results: 2,
                object: u32::MAX,
                count: 7,
                name: 0x1234_5678,
                location: u64::MAX,
            };
            let back = Header::from_words(header.words());
            assert_eq!(format!("{back:?}"), format!("{header:?}"));
        }
    }
}
