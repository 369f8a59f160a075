//! What the current thread knows about itself.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{
    AtomicU32,
    Ordering::{Relaxed, SeqCst},
    compiler_fence,
};

use commute_record::{is_recording, miss};

thread_local! {
    // Without destructors, so that they are there as long as the thread is.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static NUMBER: Cell<u32> = const { Cell::new(0) };
}

/// This thread is between taking and giving back one of our hidden locks.
#[derive(Debug)]
pub(crate) struct Inside {
    _not_send: PhantomData<*const ()>,
}

/// To be called before a hidden lock is taken that a signal handler may want too.
/// `None` in a handler that interrupts its own thread with such a lock: it would
/// wait for itself. Or that interrupts it while it records: whoever has the lock may have
/// to wait for what is being written, or for a lock of the recorder's. What it does is not
/// recorded.
#[inline]
pub(crate) fn enter() -> Option<Inside> {
    if is_recording() {
        miss();
        return None;
    }
    if INSIDE.replace(true) {
        miss();
        return None;
    }
    // Nothing of what follows may be moved before: the handler runs on this thread.
    compiler_fence(SeqCst);
    let _not_send = PhantomData;
    Some(Inside { _not_send })
}

impl Drop for Inside {
    #[inline]
    fn drop(&mut self) {
        compiler_fence(SeqCst);
        INSIDE.set(false);
    }
}

/// A number that no other thread has or had, from 0.
pub(crate) fn number() -> u32 {
    static THREADS: AtomicU32 = AtomicU32::new(0);
    match NUMBER.get() {
        0 => {
            // Once they are all given, who comes shares the last.
            let next = |n: u32| n.checked_add(1);
            let number = THREADS.fetch_update(Relaxed, Relaxed, next);
            let number = number.map_or(u32::MAX, |n| n + 1);
            NUMBER.set(number);
            number - 1
        }
        number => number - 1,
    }
}
