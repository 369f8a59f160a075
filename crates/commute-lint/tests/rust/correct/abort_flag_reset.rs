//! Abort flag reset, as far as the cases use it.
use std::sync::atomic::{AtomicBool, Ordering};
pub struct Dirty {
    dirty: AtomicBool,
    saves: std::sync::Mutex<u32>,
}
impl Dirty {
    pub fn mark(&self) {
        self.dirty.store(true, Ordering::Release);
    }
    pub fn save(&self) {
        if self.dirty.swap(false, Ordering::AcqRel) {
            *self.saves.lock().unwrap() += 1;
        }
    }
}
