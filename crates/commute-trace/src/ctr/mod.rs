//! Binary traces: compressed frames that are readable up to the last whole one.
//!
//! `docs/ctr-format.md` describes the format byte by byte. In short: a frame
//! holds up to a few thousand events as columns of equal width, preceded by the
//! names that occur in it for the first time, so that a crash loses the frames
//! that were not written and nothing else. Kind of operation and location make
//! up the *site* of an event; programs have few of them, so an event is little
//! more than a thread, a site and an operand. Two checksums per frame tell damage
//! from truncation. An end frame says that nothing is missing.

mod actions;
mod column;
mod cursor;
mod decode;
mod encode;
mod events;
mod frame;
mod opcode;
mod tables;
mod value;
pub mod value_bytes;

pub(crate) use self::decode::CtrReader;
pub use self::encode::{CtrWriter, Numbers};

/// How every binary trace starts. Neither text nor anything a transfer in text
/// mode would leave as it is.
pub(crate) const MAGIC: [u8; 6] = *b"\x89CTR\r\n";
/// The version this code writes and reads.
pub(crate) const VERSION: u8 = 1;
/// The magic, the version, and a byte of flags that must be zero.
pub(crate) const FILE_HEADER: [u8; 8] = [
    MAGIC[0], MAGIC[1], MAGIC[2], MAGIC[3], MAGIC[4], MAGIC[5], VERSION, 0,
];

#[cfg(test)]
mod tests;
