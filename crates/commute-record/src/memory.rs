//! The bytes of a chunk.
//!
//! One thread writes to the end while another reads the beginning, so this is the
//! one place where the compiler cannot see that nobody reads what is being written.

use std::cell::UnsafeCell;

/// Bytes with one writer at the end and readers at the beginning.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    bytes: Box<[UnsafeCell<u8>]>,
    #[cfg(commute_loom)]
    watched: Watched,
}

// SAFETY: whoever shares it keeps to the rule of `read` and `write`, which is that no
// byte is written and read at the same time.
#[expect(unsafe_code, reason = "bytes are written by one thread and then read")]
unsafe impl Sync for Memory {}

impl Memory {
    pub(crate) fn new(length: usize) -> Memory {
        // Zeroed by the system, page by page, when they are first used.
        let bytes = vec![0u8; length].into_boxed_slice();
        let pointer = Box::into_raw(bytes) as *mut [UnsafeCell<u8>];
        // SAFETY: `UnsafeCell<u8>` has the layout of `u8`, and nobody else has the
        // pointer.
        #[expect(unsafe_code, reason = "the same bytes, in cells")]
        let bytes = unsafe { Box::from_raw(pointer) };
        Memory {
            bytes,
            #[cfg(commute_loom)]
            watched: Watched::new(),
        }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes before `end`. They must have been written before, and must not be
    /// written again: [`Chunk::published`](crate::chunk::Chunk::published) knows.
    #[inline(always)]
    #[expect(unsafe_code, reason = "no byte before the end is written again")]
    pub(crate) fn read(&self, end: usize) -> &[u8] {
        #[cfg(commute_loom)]
        self.watched.read(end);
        let bytes = &self.bytes[..end];
        // SAFETY: only a chunk calls this, with an end that its writer published by
        // a store that was seen. The writer writes behind that end ever after.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast::<u8>(), bytes.len()) }
    }

    /// Bytes that were not published yet.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "the part that only the writer has")]
    #[expect(unsafe_code, reason = "the one writer, behind what is read")]
    pub(crate) fn write(&self, start: usize, length: usize) -> &mut [u8] {
        #[cfg(commute_loom)]
        self.watched.write(start, length);
        let bytes = &self.bytes[start..start + length];
        let first = UnsafeCell::raw_get(bytes.as_ptr());
        // SAFETY: only the one writer of a chunk calls this, through `&mut`, and
        // `start` is the end that it published last: nobody reads these bytes, and
        // what was given out before is not used any more.
        unsafe { std::slice::from_raw_parts_mut(first, length) }
    }
}

/// Tells loom which bytes are read and written. The first few are enough.
#[cfg(commute_loom)]
#[derive(Debug, Default)]
struct Watched(Vec<loom::cell::UnsafeCell<()>>);

#[cfg(commute_loom)]
impl Watched {
    fn new() -> Watched {
        Watched((0..4).map(|_| loom::cell::UnsafeCell::new(())).collect())
    }

    fn read(&self, end: usize) {
        self.0.iter().take(end).for_each(|byte| byte.with(|_| ()));
    }

    fn write(&self, start: usize, length: usize) {
        let bytes = self.0.iter().skip(start).take(length);
        bytes.for_each(|byte| byte.with_mut(|_| ()));
    }
}
