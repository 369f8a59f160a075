//! A maximum that is loaded and stored, and the same with a lock.
//@ depends: observe
//@ remains: record
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};
pub struct Peak {
    highest: AtomicU64,
    latest: RwLock<u64>,
}
impl Peak {
    pub fn observe(&self, value: u64) {
        if value > self.highest.load(Ordering::Relaxed) {
            self.highest.store(value, Ordering::Relaxed);
        }
    }
    pub fn record(&self, value: u64) {
        if value > *self.latest.read().unwrap() {
            *self.latest.write().unwrap() = value;
        }
    }
}
