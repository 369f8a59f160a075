//! A flag is claimed by `swap`, then given back.
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
pub struct Compactor {
    busy: AtomicBool,
    runs: Mutex<u64>,
}
impl Compactor {
    pub fn run(&self) -> bool {
        if self.busy.swap(true, Ordering::AcqRel) {
            return false;
        }
        *self.runs.lock().unwrap() += 1;
        self.busy.store(false, Ordering::Release);
        true
    }
    pub fn busy(&self) -> bool {
        self.busy.load(Ordering::Acquire)
    }
}
