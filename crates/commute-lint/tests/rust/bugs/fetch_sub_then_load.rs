//! Two threads both see zero, or neither is the one that made it.
//@ finding: Latch::done
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
pub struct Latch {
    pending: AtomicUsize,
    finished: Mutex<u32>,
}
impl Latch {
    pub fn begin(&self) {
        self.pending.fetch_add(1, Ordering::AcqRel);
    }
    #[cfg(not(fixed))]
    pub fn done(&self) {
        self.pending.fetch_sub(1, Ordering::AcqRel);
        if self.pending.load(Ordering::Acquire) == 0 {
            *self.finished.lock().unwrap() += 1;
        }
    }
    #[cfg(fixed)]
    pub fn done(&self) {
        if self.pending.fetch_sub(1, Ordering::AcqRel) == 1 {
            *self.finished.lock().unwrap() += 1;
        }
    }
}
