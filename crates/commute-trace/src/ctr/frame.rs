//! Frames: a header of fixed size, then a payload that may be compressed.
//!
//! The header has a checksum of its own, so that a damaged length is not
//! mistaken for a file that ends too early.

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{ErrorKind, TraceError};
use crate::input::Input;

/// How every frame starts.
const MARKER: [u8; 4] = *b"CTRf";
/// The length of a header.
pub(super) const HEADER: usize = 40;
/// What the header checksum covers.
const HEADER_CHECKED: usize = 36;
/// No payload is longer, compressed or not.
pub(super) const MAX_PAYLOAD: usize = 1 << 22;
/// No frame has more events: a column of zeros takes no space, so the length of
/// the payload is no bound.
pub(super) const MAX_EVENTS: u32 = 1 << 16;

/// The payload holds events and the names they are the first to use.
pub(super) const EVENTS: u8 = 1;
/// Nothing is missing before this frame, and nothing follows it.
pub(super) const END: u8 = 2;
/// Frames of this kind and above may be skipped by whoever does not know them.
const OPTIONAL: u8 = 128;
/// The payload says how many operations are not among the events.
pub(super) const MISSED: u8 = 128;

const STORED: u8 = 0;
const LZ4: u8 = 1;

/// Where events come from and go to, frame by frame.
pub(super) struct Frame {
    pub(super) kind: u8,
    /// How many events it has.
    pub(super) events: u32,
    /// How many events come before it.
    pub(super) first: u64,
}

/// Appends the frame with this payload to `out`.
pub(super) fn write(out: &mut Vec<u8>, frame: &Frame, payload: &[u8], compress: bool) {
    let start = out.len();
    out.resize(start + HEADER, 0);
    let compressed = match compress {
        true => write_compressed(out, payload),
        false => None,
    };
    let (codec, length) = match compressed {
        Some(length) => (LZ4, length),
        None => {
            out.truncate(start + HEADER);
            out.extend_from_slice(payload);
            (STORED, payload.len())
        }
    };
    out.truncate(start + HEADER + length);
    let checksum = xxh3_64(&out[start + HEADER..]);
    let header = &mut out[start..start + HEADER];
    header[..4].copy_from_slice(&MARKER);
    header[4] = frame.kind;
    header[5] = codec;
    header[8..12].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    header[12..16].copy_from_slice(&(length as u32).to_le_bytes());
    header[16..20].copy_from_slice(&frame.events.to_le_bytes());
    header[20..28].copy_from_slice(&frame.first.to_le_bytes());
    header[28..36].copy_from_slice(&checksum.to_le_bytes());
    let checksum = xxh3_64(&header[..HEADER_CHECKED]) as u32;
    header[HEADER_CHECKED..].copy_from_slice(&checksum.to_le_bytes());
}

/// The length of the compressed payload, if it is shorter.
fn write_compressed(out: &mut Vec<u8>, payload: &[u8]) -> Option<usize> {
    let start = out.len();
    let bound = lz4_flex::block::get_maximum_output_size(payload.len());
    out.resize(start + bound, 0);
    let length = lz4_flex::block::compress_into(payload, &mut out[start..]).ok()?;
    (length < payload.len()).then_some(length)
}

/// Reads frames and checks them.
pub(super) struct FrameReader {
    pub(super) input: Input,
    /// Where the next frame starts.
    offset: u64,
    /// Where the current frame starts.
    pub(super) start: u64,
    stored: Vec<u8>,
    /// The payload of the current frame.
    pub(super) payload: Vec<u8>,
}

fn corrupt(offset: u64, message: impl Into<String>) -> TraceError {
    TraceError::at_byte(ErrorKind::Corrupt, offset, message)
}

impl FrameReader {
    pub(super) fn new(input: Input, offset: u64) -> FrameReader {
        FrameReader {
            input,
            offset,
            start: offset,
            stored: Vec::new(),
            payload: Vec::new(),
        }
    }

    /// Reads the next frame that is known, or must not be skipped. `events` is how
    /// many came before it.
    pub(super) fn next(&mut self, events: u64) -> Result<Frame, TraceError> {
        loop {
            let frame = self.read(events)?;
            if frame.kind < OPTIONAL || frame.kind == MISSED {
                return Ok(frame);
            }
        }
    }

    fn read(&mut self, events: u64) -> Result<Frame, TraceError> {
        self.start = self.offset;
        let start = self.start;
        let mut header = [0; HEADER];
        let got = self.read_full_header(&mut header, events)?;
        if header[..4] != MARKER {
            let message = "this is not the start of a frame";
            return Err(corrupt(start, message).lost(read_so_far(events)));
        }
        let four = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four"));
        let eight = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().expect("eight"));
        if xxh3_64(&header[..HEADER_CHECKED]) as u32 != four(HEADER_CHECKED) {
            let message = "the header of this frame is damaged";
            return Err(corrupt(start, message).lost(read_so_far(events)));
        }
        let (raw, length) = (four(8) as usize, four(12) as usize);
        let frame = Frame {
            kind: header[4],
            events: four(16),
            first: eight(20),
        };
        if raw > MAX_PAYLOAD || length > MAX_PAYLOAD || header[6..8] != [0, 0] {
            return Err(corrupt(start, "the header of this frame makes no sense"));
        }
        self.stored.resize(length, 0);
        let body = self.input.read_full(&mut self.stored)?;
        if body < length {
            return Err(self.truncated(got + body, events));
        }
        self.offset += (HEADER + length) as u64;
        if xxh3_64(&self.stored) != eight(28) {
            let message = "the contents of this frame are damaged";
            return Err(corrupt(start, message).lost(read_so_far(events)));
        }
        self.decompress(header[5], raw)?;
        if frame.kind < OPTIONAL && frame.first != events {
            let message = format!(
                "this frame starts with event {}, but event {} should come next",
                frame.first.saturating_add(1),
                events + 1
            );
            return Err(corrupt(start, message));
        }
        Ok(frame)
    }

    fn read_full_header(
        &mut self,
        header: &mut [u8; HEADER],
        events: u64,
    ) -> Result<usize, TraceError> {
        match self.input.read_full(header)? {
            HEADER => Ok(HEADER),
            0 => {
                let message = "the trace has no end: it was cut, or its recording was cut short";
                Err(
                    TraceError::at_byte(ErrorKind::Truncated, self.start, message)
                        .lost(read_so_far(events)),
                )
            }
            got => Err(self.truncated(got, events)),
        }
    }

    fn truncated(&self, bytes: usize, events: u64) -> TraceError {
        let message = "the trace ends in the middle of a frame";
        let lost = format!(
            "the last {bytes} bytes are not a whole frame; {}",
            read_so_far(events)
        );
        TraceError::at_byte(ErrorKind::Truncated, self.start, message).lost(lost)
    }

    fn decompress(&mut self, codec: u8, raw: usize) -> Result<(), TraceError> {
        match codec {
            STORED if self.stored.len() == raw => {
                std::mem::swap(&mut self.payload, &mut self.stored);
                Ok(())
            }
            LZ4 => {
                self.payload.resize(raw, 0);
                match lz4_flex::block::decompress_into(&self.stored, &mut self.payload) {
                    Ok(length) if length == raw => Ok(()),
                    _ => Err(corrupt(self.start, "this frame cannot be decompressed")),
                }
            }
            _ => Err(corrupt(
                self.start,
                "the header of this frame makes no sense",
            )),
        }
    }

    /// Makes sure that nothing follows.
    pub(super) fn expect_end(&mut self) -> Result<(), TraceError> {
        let mut byte = [0];
        match self.input.read_full(&mut byte)? {
            0 => Ok(()),
            _ => Err(corrupt(self.offset, "bytes after the end of the trace")),
        }
    }
}

/// What a message says about the events that are safe.
pub(super) fn read_so_far(events: u64) -> String {
    match events {
        1 => "1 event before it was read".into(),
        n => format!("{n} events before it were read"),
    }
}
