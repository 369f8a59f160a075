//! A worker that saw nothing to do ends after this round; what the round does is
//! not decided by it. If it is looked at first, it is.
//@ suppression: Round
//@ finding: Queue::work
use std::sync::atomic::{AtomicI64, Ordering};
pub struct Queue {
    idle: AtomicI64,
    limit: i64,
}
impl Queue {
    #[cfg(fixed)]
    pub fn work(&self) {
        loop {
            self.idle.fetch_sub(1, Ordering::AcqRel);
            std::thread::yield_now();
            self.idle.fetch_add(1, Ordering::AcqRel);
            if self.idle.load(Ordering::Acquire) > self.limit {
                return;
            }
        }
    }
    #[cfg(not(fixed))]
    pub fn work(&self) {
        loop {
            if self.idle.load(Ordering::Acquire) >= self.limit {
                return;
            }
            self.idle.fetch_add(1, Ordering::AcqRel);
            std::thread::yield_now();
            self.idle.fetch_sub(1, Ordering::AcqRel);
        }
    }
}
