//! Whose lock it is.
//!
//! With the feature `send_guard` of the original a guard may go to another thread and
//! be dropped there. A trace has no word for that: who gives a lock back is who took
//! it. So a lock to which it happens is not recorded any more; in the trace it stays
//! with whoever took it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use commute_record::is_on;

use crate::this_thread;

/// Who has a lock alone, or may upgrade it. Read and written only by who does.
#[derive(Debug)]
pub(super) struct Holder {
    /// The number of the thread plus one; 0 if that it took the lock was not recorded.
    thread: AtomicU32,
    lost: AtomicBool,
}

fn me() -> u32 {
    this_thread::number().wrapping_add(1)
}

impl Holder {
    pub(super) const fn nobody() -> Holder {
        Holder {
            thread: AtomicU32::new(0),
            lost: AtomicBool::new(false),
        }
    }

    /// Whether what is done to the lock is recorded.
    #[inline]
    pub(super) fn is_recorded(&self) -> bool {
        is_on() && !self.lost.load(Relaxed)
    }

    /// This thread takes it; whether that is to be recorded.
    #[inline]
    pub(super) fn takes(&self) -> bool {
        let recorded = self.is_recorded();
        self.thread.store(if recorded { me() } else { 0 }, Relaxed);
        recorded
    }

    /// This thread does something to what it holds; whether that is to be recorded.
    #[inline]
    pub(super) fn holds(&self) -> bool {
        if !self.is_recorded() {
            return false;
        }
        let thread = self.thread.load(Relaxed);
        if thread != 0 && thread != me() {
            self.lose();
        }
        thread == me()
    }

    /// A thread gives back what it did not take.
    #[cold]
    pub(super) fn lose(&self) {
        self.lost.store(true, Relaxed);
    }
}
