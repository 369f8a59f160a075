//! head tail atomics.
//@ finding: Ring::push
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
pub struct Ring {
    slots: Vec<Mutex<u64>>,
    tail: AtomicUsize,
}
impl Ring {
    #[cfg(not(fixed))]
    pub fn push(&self, value: u64) {
        let tail = self.tail.load(Ordering::Acquire);
        *self.slots[tail % self.slots.len()].lock().unwrap() = value;
        self.tail.store(tail.wrapping_add(1), Ordering::Release);
    }
    #[cfg(fixed)]
    pub fn push(&self, value: u64) {
        let tail = self.tail.fetch_add(1, Ordering::AcqRel);
        *self.slots[tail % self.slots.len()].lock().unwrap() = value;
    }
}
