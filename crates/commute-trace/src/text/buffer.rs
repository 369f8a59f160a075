//! Whole lines out of a stream of bytes, in one buffer that is used again and
//! again. It grows only for a long line, and only up to the longest allowed.

use super::word::PADDING;
use crate::error::TraceError;
use crate::input::Input;
use crate::limits::MAX_LINE;

/// How much is read at a time: small enough to stay in the second-level cache,
/// large enough that the cost of a system call does not show.
const CHUNK: usize = 1 << 17;

pub(super) struct LineBuffer {
    bytes: Vec<u8>,
    /// What lies before has been consumed.
    start: usize,
    /// One past the last line feed.
    lines_end: usize,
    /// One past the last byte read.
    end: usize,
    /// Nothing more will come.
    finished: bool,
}

/// What the buffer can offer.
pub(super) enum Fill {
    /// There is at least one whole line.
    Lines,
    /// The line that starts here is too long.
    TooLong,
    /// Everything has been consumed.
    End,
}

impl LineBuffer {
    pub(super) fn new() -> LineBuffer {
        LineBuffer {
            bytes: vec![0; CHUNK + PADDING],
            start: 0,
            lines_end: 0,
            end: 0,
            finished: false,
        }
    }

    /// Makes sure that there is a whole line, unless there is none left. A last
    /// line without line feed gets one.
    pub(super) fn fill(&mut self, input: &mut Input) -> Result<Fill, TraceError> {
        if self.start < self.lines_end {
            return Ok(Fill::Lines);
        }
        self.bytes.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        self.lines_end = 0;
        while !self.finished {
            let room = self.bytes.len() - PADDING;
            if self.end == room {
                if self.end > MAX_LINE {
                    return Ok(Fill::TooLong);
                }
                self.bytes.resize(2 * room + PADDING, 0);
                continue;
            }
            let n = input.read(&mut self.bytes[self.end..room])?;
            if n == 0 {
                self.finished = true;
                if self.end > 0 {
                    // There is room: the buffer is longer by the padding.
                    self.bytes[self.end] = b'\n';
                    self.end += 1;
                    self.lines_end = self.end;
                    if self.bytes.len() < self.end + PADDING {
                        self.bytes.resize(self.end + PADDING, 0);
                    }
                    return Ok(Fill::Lines);
                }
                break;
            }
            let fresh = self.end..self.end + n;
            self.end += n;
            if let Some(i) = memchr::memrchr(b'\n', &self.bytes[fresh.clone()]) {
                self.lines_end = fresh.start + i + 1;
                return Ok(Fill::Lines);
            }
        }
        Ok(Fill::End)
    }

    /// All bytes, with [`PADDING`] behind `lines().end`.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The whole lines that have not been consumed.
    pub(super) fn lines(&self) -> std::ops::Range<usize> {
        self.start..self.lines_end
    }

    /// What there is of a line that is too long.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Says that everything before `at` has been read.
    pub(super) fn consume_to(&mut self, at: usize) {
        debug_assert!(self.start <= at && at <= self.lines_end);
        self.start = at;
    }
}
