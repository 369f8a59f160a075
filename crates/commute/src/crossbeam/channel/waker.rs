//! A thread that waits for one of several channels.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(super) struct Waker {
    thread: Thread,
    woken: AtomicBool,
}

impl Waker {
    pub(super) fn new() -> Waker {
        Waker {
            thread: thread::current(),
            woken: AtomicBool::new(false),
        }
    }

    pub(super) fn wake(&self) {
        self.woken.store(true, SeqCst);
        self.thread.unpark();
    }

    /// Waits until it is woken, or until then.
    pub(super) fn wait(&self, until: Option<Instant>) {
        while !self.woken.swap(false, SeqCst) {
            match until {
                None => thread::park(),
                Some(until) => match until.checked_duration_since(Instant::now()) {
                    Some(left) if !left.is_zero() => thread::park_timeout(left),
                    _ => return,
                },
            }
        }
    }
}

/// Between 50 and 1000 µs, never the same twice.
pub(super) fn a_moment() -> Duration {
    Duration::from_micros(50 + any_number() % 950)
}

/// Different numbers, to be fair.
pub(super) fn any_number() -> u64 {
    static STATE: AtomicU64 = AtomicU64::new(1);
    let n = STATE.fetch_add(0x9e37_79b9_7f4a_7c15, Relaxed);
    (n ^ n >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}
