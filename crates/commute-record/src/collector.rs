//! The thread that passes events on.
//!
//! It looks at the buffers of all threads, at least every [`PAUSE`], and writes
//! what it found as a frame of the trace when a frame is full or [`FLUSH`] has
//! passed. So a process that is killed loses what is younger. If the trace cannot be
//! written, the program goes on without being recorded, and says so.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use commute_trace::CtrWriter;

use crate::chunk::{self, Chunk};
use crate::encoder::Encoder;
use crate::loomed::Arc;
use crate::merge::Merger;
use crate::missed;
use crate::mode;
use crate::output::Output;
use crate::report::say;
use crate::thread::Identity;

/// The shortest time between two looks, if little is found.
const SHORTEST: Duration = Duration::from_millis(1);

/// The longest time between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// The longest time that an event stays unwritten.
const FLUSH: Duration = Duration::from_millis(100);

/// How long the end of the process waits for events that threads are just about
/// to write.
const PATIENCE: Duration = Duration::from_millis(20);

/// So many events are worth another look at once.
const MANY: usize = 256;

/// What threads tell the collector.
#[derive(Debug)]
struct Shared {
    /// Threads that are new.
    new: Vec<(u32, Arc<Chunk>)>,
    /// Buffers get full.
    hurry: bool,
    finish: bool,
    finished: bool,
}

static SHARED: Mutex<Shared> = Mutex::new(Shared {
    new: Vec::new(),
    hurry: false,
    finish: false,
    finished: false,
});
static TOLD: Condvar = Condvar::new();
static FINISHED: Condvar = Condvar::new();

fn shared() -> MutexGuard<'static, Shared> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the thread.
pub(crate) fn start(output: Output) -> io::Result<()> {
    // A checker reads at once what it gets.
    let compress = matches!(output, Output::File(_));
    let writer = CtrWriter::new(output)?;
    let builder = thread::Builder::new().name("commute".into());
    builder.spawn(move || {
        // Also if it panics nobody may wait for it.
        struct End;
        impl Drop for End {
            fn drop(&mut self) {
                mode::turn_off();
                shared().finished = true;
                FINISHED.notify_all();
            }
        }
        let end = End;
        if let Err(error) = collect(writer, compress) {
            say(&format!("the trace ends here: {error}"));
        }
        drop(end);
    })?;
    Ok(())
}

/// A thread that will write to this chunk.
pub(crate) fn add_thread(identity: &Identity, chunk: &Arc<Chunk>) {
    let number = identity.tag().known().expect("identities are registered");
    shared().new.push((number, Arc::clone(chunk)));
}

/// Whether the collector sleeps, or is about to.
static SLEEPS: AtomicBool = AtomicBool::new(false);

/// Buffers get full.
pub(crate) fn hurry() {
    // Read and written under no lock: who comes too early is followed by others, and
    // the collector wakes up by itself.
    if SLEEPS.swap(false, Relaxed) {
        shared().hurry = true;
        TOLD.notify_all();
    }
}

/// Waits until everything is written, and ends the trace.
pub(crate) fn finish() {
    if !mode::records_ends() {
        return;
    }
    // Others may go on, as fast as we write, until the process has ended.
    mode::turn_off();
    let mut shared = shared();
    shared.finish = true;
    TOLD.notify_all();
    while !shared.finished {
        let waited = FINISHED.wait(shared);
        shared = waited.unwrap_or_else(PoisonError::into_inner);
    }
}

fn collect<W: Write>(writer: CtrWriter<W>, compress: bool) -> io::Result<()> {
    let mut encoder = Encoder::new(writer);
    let mut merger = Merger::default();
    let mut pause = SHORTEST;
    let mut written = Instant::now();
    let mut unwritten = false;
    let mut last_chance: Option<Instant> = None;
    loop {
        let finish = {
            let mut shared = shared();
            for (thread, chunk) in shared.new.drain(..) {
                merger.add(thread, chunk);
            }
            shared.hurry = false;
            shared.finish
        };
        // Who is behind leaves out what takes longest.
        encoder.writer().compress(compress && !chunk::is_behind());
        let passed = merger.drain(&mut encoder)?;
        let missed = missed::take();
        encoder.writer().missed(missed);
        unwritten |= passed > 0 || missed > 0;
        if unwritten && written.elapsed() >= FLUSH {
            encoder.writer().flush()?;
            unwritten = false;
            written = Instant::now();
        }
        if finish {
            let until = *last_chance.get_or_insert_with(|| Instant::now() + PATIENCE);
            if merger.is_empty() || (passed == 0 && Instant::now() >= until) {
                encoder.finish()?.flush()?;
                return Ok(());
            }
            thread::yield_now();
            continue;
        }
        if passed >= MANY {
            continue;
        }
        pause = match passed {
            0 => PAUSE.min(pause * 2),
            _ => SHORTEST,
        };
        SLEEPS.store(true, Relaxed);
        if !chunk::is_behind() {
            let shared = shared();
            if !shared.finish && !shared.hurry {
                let waited = TOLD.wait_timeout(shared, pause);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
            }
        }
        SLEEPS.store(false, Relaxed);
    }
}
