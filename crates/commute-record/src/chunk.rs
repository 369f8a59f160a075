//! Buffers: what a thread writes and the collector reads.
//!
//! A chunk is a list of words with one writer and one reader. The writer stores
//! words and then publishes how many there are; the reader never looks further.
//! A full chunk links to the next one.

use std::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Words in a chunk: 16 KiB.
const WORDS: usize = 1 << 11;

/// How many bytes all chunks together may take, unless threads are so many that
/// each has but one. A thread that needs more waits. That is less than 44 K events,
/// and with a frame that is being written less than the 64 K that a killed process
/// may lose.
pub const MOST_BYTES: usize = 1 << 20;

/// A piece of the events of one thread.
#[derive(Debug)]
pub(crate) struct Chunk {
    words: Box<[AtomicU64]>,
    published: AtomicUsize,
    next: OnceLock<Arc<Chunk>>,
}

/// All chunks of the process.
struct Memory {
    /// Bytes in chunks.
    used: Mutex<usize>,
    given_back: Condvar,
}

static MEMORY: Memory = Memory {
    used: Mutex::new(0),
    given_back: Condvar::new(),
};

impl Chunk {
    /// The first chunk of a thread: there is always room for it.
    pub(crate) fn first() -> Arc<Chunk> {
        *MEMORY.used.lock().unwrap_or_else(PoisonError::into_inner) += WORDS * 8;
        Chunk::with(WORDS)
    }

    fn with(words: usize) -> Arc<Chunk> {
        Arc::new(Chunk {
            words: (0..words).map(|_| AtomicU64::new(0)).collect(),
            published: AtomicUsize::new(0),
            next: OnceLock::new(),
        })
    }

    /// The chunk after this one, with room for `words`; waits if there is no
    /// memory left for it.
    #[cold]
    pub(crate) fn follow(&self, words: usize) -> Arc<Chunk> {
        let words = words.max(WORDS);
        let mut used = MEMORY.used.lock().unwrap_or_else(PoisonError::into_inner);
        // One event larger than everything must get through as well.
        if *used + words * 8 > MOST_BYTES.max(words * 8) {
            used = wait_for_room(used);
        }
        *used += words * 8;
        drop(used);
        let next = Chunk::with(words);
        let set = self.next.set(Arc::clone(&next));
        debug_assert!(set.is_ok(), "one writer, one follower");
        next
    }

    /// How many words it has room for.
    #[inline]
    pub(crate) fn capacity(&self) -> usize {
        self.words.len()
    }

    /// Room for so many words, not to be seen yet.
    #[inline(always)]
    pub(crate) fn room(&self, place: usize, words: usize) -> Room<'_> {
        Room(self.words[place..place + words].iter())
    }

    /// Lets the reader see everything before `end`.
    #[inline(always)]
    pub(crate) fn publish(&self, end: usize) {
        self.published.store(end, Release);
    }

    /// How many words can be read.
    #[inline]
    pub(crate) fn published(&self) -> usize {
        self.published.load(Acquire)
    }

    /// A word that was published.
    #[inline]
    pub(crate) fn read(&self, place: usize) -> u64 {
        self.words[place].load(Relaxed)
    }

    /// The next one, once this one is full.
    pub(crate) fn next(&self) -> Option<&Arc<Chunk>> {
        self.next.get()
    }
}

/// Until half of the room is free: threads that wait and go on with every chunk
/// would spend their time waiting.
fn wait_for_room(mut used: MutexGuard<'_, usize>) -> MutexGuard<'_, usize> {
    while *used > MOST_BYTES / 2 && crate::is_on() {
        // In case the collector ended meanwhile and frees nothing.
        let waited = MEMORY
            .given_back
            .wait_timeout(used, Duration::from_millis(50));
        used = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
    used
}

/// Words that are being written.
#[derive(Debug)]
pub(crate) struct Room<'a>(std::slice::Iter<'a, AtomicU64>);

impl Room<'_> {
    #[inline(always)]
    pub(crate) fn put(&mut self, word: u64) {
        let place = self.0.next().expect("as many as were asked for");
        place.store(word, Relaxed);
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        let mut used = MEMORY.used.lock().unwrap_or_else(PoisonError::into_inner);
        let before = *used;
        *used -= self.words.len() * 8;
        let half = MOST_BYTES / 2;
        if before > half && *used <= half {
            MEMORY.given_back.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_sees_what_was_published_and_the_next_chunk() {
        let first = Chunk::first();
        first.room(0, 1).put(7);
        assert_eq!(first.published(), 0);
        first.publish(1);
        assert_eq!((first.published(), first.read(0)), (1, 7));
        assert!(first.next().is_none());
        let second = first.follow(3 * WORDS);
        assert_eq!(second.capacity(), 3 * WORDS);
        assert!(Arc::ptr_eq(first.next().unwrap(), &second));
    }
}
