//! One too many is taken back: the limit holds.
use std::sync::atomic::{AtomicUsize, Ordering::*};
pub struct Limit {
    used: AtomicUsize,
    max: usize,
}
impl Limit {
    pub fn enter(&self) -> bool {
        if self.used.fetch_add(1, AcqRel) >= self.max {
            self.used.fetch_sub(1, AcqRel);
            return false;
        }
        true
    }
    pub fn leave(&self) {
        self.used.fetch_sub(1, AcqRel);
    }
}
