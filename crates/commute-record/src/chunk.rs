//! Buffers: what a thread writes and the collector reads.
//!
//! A chunk is a piece of memory with one [writer](Writer) and one reader. The writer
//! writes behind what it has published, and then publishes that; the reader never
//! looks further. A full chunk links to the next one.

use std::sync::{Condvar, PoisonError};
use std::time::Duration;

use crate::collector;
use crate::loomed::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};
use crate::memory::Memory;

/// Bytes in a chunk, unless one event needs more.
const LENGTH: usize = 1 << 14;

/// How many bytes all chunks together may take, unless threads are so many that
/// each has but one. A thread that needs more waits. The shortest event has 16 bytes:
/// that is at most 32 K events, and with a frame that is being written less than the
/// 64 K that a killed process may lose.
pub const MOST_BYTES: usize = 1 << 19;

/// A piece of the events of one thread.
#[derive(Debug)]
pub(crate) struct Chunk {
    memory: Memory,
    published: AtomicUsize,
    next: Mutex<Option<Arc<Chunk>>>,
}

/// The one that writes to a chunk, and then to the next.
#[derive(Debug)]
pub(crate) struct Writer {
    chunk: Arc<Chunk>,
    /// How much of it is published.
    end: usize,
}

/// The one that reads a chunk, and then the next.
#[derive(Debug)]
pub(crate) struct Reader {
    chunk: Arc<Chunk>,
    /// How much of it was read.
    pub(crate) at: usize,
}

/// All chunks of the process.
struct Pool {
    state: std::sync::Mutex<State>,
    given_back: Condvar,
}

struct State {
    /// Bytes in chunks.
    used: usize,
    /// Memory of chunks that are gone: new memory would have to be filled with zeros
    /// first.
    free: Vec<Memory>,
}

static POOL: Pool = Pool {
    state: std::sync::Mutex::new(State {
        used: 0,
        free: Vec::new(),
    }),
    given_back: Condvar::new(),
};

impl Pool {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn take(&mut self, length: usize) -> Memory {
        self.used += length;
        let known = if length == LENGTH {
            self.free.pop()
        } else {
            None
        };
        known.unwrap_or_else(|| Memory::new(length))
    }
}

impl Chunk {
    fn new(memory: Memory) -> Arc<Chunk> {
        Arc::new(Chunk {
            memory,
            published: AtomicUsize::new(0),
            next: Mutex::new(None),
        })
    }

    /// What can be read.
    #[inline]
    pub(crate) fn published(&self) -> &[u8] {
        let end = self.published.load(Ordering::Acquire);
        self.memory.read(end)
    }

    /// The next one, once this one is full.
    fn next(&self) -> Option<Arc<Chunk>> {
        self.next
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Reader {
    pub(crate) fn new(chunk: Arc<Chunk>) -> Reader {
        Reader { chunk, at: 0 }
    }

    /// What it reads. That can be looked at while the reader goes on.
    pub(crate) fn chunk(&self) -> Arc<Chunk> {
        Arc::clone(&self.chunk)
    }

    /// After everything was read that could be: whether there is more.
    pub(crate) fn has_more(&mut self) -> bool {
        let Some(next) = self.chunk.next() else {
            return false;
        };
        // More may have been published before the next chunk was linked.
        if self.at >= self.chunk.published().len() {
            self.chunk = next;
            self.at = 0;
        }
        true
    }

    /// Whether everything was read that was ever published.
    pub(crate) fn is_empty(&self) -> bool {
        self.chunk.next().is_none() && self.at == self.chunk.published().len()
    }

    /// Whether nobody can write any more.
    pub(crate) fn is_alone(&self) -> bool {
        // The writer holds the chunk as long as it can write.
        Arc::strong_count(&self.chunk) == 1
    }
}

impl Writer {
    /// Writes to a new chunk: there is always room for the first one of a thread.
    pub(crate) fn new() -> Writer {
        let memory = POOL.state().take(LENGTH);
        let chunk = Chunk::new(memory);
        Writer { chunk, end: 0 }
    }

    /// What it writes to.
    pub(crate) fn chunk(&self) -> &Arc<Chunk> {
        &self.chunk
    }

    /// Room for so many bytes, that nobody sees before they are published. Waits if
    /// there is no memory left for it.
    #[inline(always)]
    pub(crate) fn room(&mut self, length: usize) -> &mut [u8] {
        if self.end + length > self.chunk.memory.len() {
            self.follow(length);
        }
        self.chunk.memory.write(self.end, length)
    }

    /// Lets the reader see so many bytes more.
    #[inline(always)]
    pub(crate) fn publish(&mut self, length: usize) {
        self.end += length;
        self.chunk.published.store(self.end, Ordering::Release);
    }

    /// Goes on with another chunk.
    #[cold]
    fn follow(&mut self, length: usize) {
        let length = length.max(LENGTH);
        let mut state = POOL.state();
        // One event larger than everything must get through as well.
        if state.used + length > MOST_BYTES.max(length) {
            state = wait_for_room(state);
        }
        let next = Chunk::new(state.take(length));
        let is_behind = state.used > MOST_BYTES / 4;
        drop(state);
        if is_behind {
            collector::hurry();
        }
        let mut link = self
            .chunk
            .next
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *link = Some(Arc::clone(&next));
        drop(link);
        self.chunk = next;
        self.end = 0;
    }
}

/// Until half of the room is free: threads that wait and go on with every chunk
/// would spend their time waiting.
fn wait_for_room(state: std::sync::MutexGuard<'_, State>) -> std::sync::MutexGuard<'_, State> {
    drop(state);
    collector::hurry();
    let mut state = POOL.state();
    while state.used > MOST_BYTES / 2 && crate::is_on() {
        // In case the collector ended meanwhile and frees nothing.
        let waited = POOL
            .given_back
            .wait_timeout(state, Duration::from_millis(50));
        state = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
    state
}

/// Whether threads write faster than the collector reads.
pub(crate) fn is_behind() -> bool {
    POOL.state().used > MOST_BYTES / 4
}

impl Drop for Chunk {
    fn drop(&mut self) {
        let memory = std::mem::take(&mut self.memory);
        let mut state = POOL.state();
        let before = state.used;
        state.used -= memory.len();
        let half = MOST_BYTES / 2;
        if before > half && state.used <= half {
            POOL.given_back.notify_all();
        }
        // Longer ones are rare, and more than a few would be wasted.
        // What loom watches ends with its run.
        let keep = !cfg!(commute_loom) && state.free.len() < MOST_BYTES / LENGTH;
        if memory.len() == LENGTH && keep {
            state.free.push(memory);
        }
    }
}

#[cfg(all(test, not(commute_loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_reader_sees_what_was_published_and_the_next_chunk() {
        let mut writer = Writer::new();
        let first = Arc::clone(writer.chunk());
        writer.room(3).copy_from_slice(&[7, 8, 9]);
        assert_eq!(first.published(), []);
        writer.publish(2);
        assert_eq!(first.published(), [7, 8]);
        assert!(first.next().is_none());
        assert_eq!(writer.room(3 * LENGTH).len(), 3 * LENGTH);
        assert!(Arc::ptr_eq(&first.next().unwrap(), writer.chunk()));
    }
}

/// The protocol between writer and reader, in every order that the memory model
/// allows: `RUSTFLAGS="--cfg commute_loom" cargo test -p commute-record --lib`.
#[cfg(all(test, commute_loom))]
mod in_every_order {
    use super::*;

    /// Reads all of a stream.
    fn read(chunk: Arc<Chunk>, total: usize) -> Vec<u8> {
        let (mut read, mut reader) = (Vec::new(), Reader::new(chunk));
        while read.len() < total {
            let chunk = reader.chunk();
            let published = chunk.published();
            read.extend_from_slice(&published[reader.at..]);
            reader.at = published.len();
            if !reader.has_more() {
                loom::thread::yield_now();
            }
        }
        read
    }

    #[test]
    fn nothing_is_lost_read_early_or_read_twice() {
        loom::model(|| {
            let mut writer = Writer::new();
            let chunk = Arc::clone(writer.chunk());
            let reader = loom::thread::spawn(move || read(chunk, 4));
            for byte in 1..=2 {
                writer.room(1)[0] = byte;
                writer.publish(1);
            }
            // Does not fit: the next chunk.
            writer.room(LENGTH)[..2].copy_from_slice(&[3, 4]);
            writer.publish(2);
            assert_eq!(reader.join().unwrap(), [1, 2, 3, 4]);
        });
    }
}
