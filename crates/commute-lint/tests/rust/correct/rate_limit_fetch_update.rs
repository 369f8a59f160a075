//! Rate limit fetch update, as far as the cases use it.
use std::sync::atomic::{AtomicU32, Ordering::*};
pub struct Bucket {
    tokens: AtomicU32,
    size: u32,
}
impl Bucket {
    pub fn take(&self) -> bool {
        self.tokens
            .fetch_update(AcqRel, Acquire, |n| n.checked_sub(1))
            .is_ok()
    }
    pub fn refill(&self) {
        self.tokens.store(self.size, Release);
    }
    pub fn left(&self) -> u32 {
        self.tokens.load(Relaxed)
    }
}
