//! A pattern that has matched once stays so, and who finds it out twice does no
//! harm. Who starts the workers twice does.
//@ suppression: Latch
//@ finding: Pool::start
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub struct Pool {
    started: AtomicBool,
    workers: AtomicU64,
}
impl Pool {
    #[cfg(not(fixed))]
    pub fn start(&self) {
        if !self.started.load(Ordering::Acquire) {
            self.workers.fetch_add(4, Ordering::AcqRel);
            self.started.store(true, Ordering::Release);
        }
    }
    #[cfg(fixed)]
    pub fn start(&self) -> bool {
        if self.started.load(Ordering::Acquire) {
            return true;
        }
        if self.workers.load(Ordering::Acquire) < 4 {
            return false;
        }
        self.started.store(true, Ordering::Release);
        true
    }
}
