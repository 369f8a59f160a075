//! Operations that happen, but cannot be recorded.
//!
//! What a signal handler does in a thread that is in the middle of recording would
//! have to wait for that thread, which is itself. The same goes for a memory allocator
//! that is called by the recorder and uses instrumented types. Such operations are let
//! go, and counted: a trace says how many it misses.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many the trace does not speak of yet.
static MISSED: AtomicU64 = AtomicU64::new(0);

/// An operation of this thread happens, but is not recorded, although everything is
/// ([`is_on`](crate::is_on)).
#[cold]
pub fn miss() {
    // Whoever reads what the thread records after this also finds this: its events
    // are published, and read, in this order.
    MISSED.fetch_add(1, Relaxed);
}

/// How many there are that were not taken before.
pub(crate) fn take() -> u64 {
    match MISSED.load(Relaxed) {
        0 => 0,
        _ => MISSED.swap(0, Relaxed),
    }
}
