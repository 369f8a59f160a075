//! A flag that is swapped is a lock made by hand; one that is loaded and stored
//! is not.
//@ suppression: AtomicClaim
//@ finding: adapt
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub struct Window {
    adapting: AtomicBool,
    size: AtomicU64,
}
impl Window {
    pub fn adapt(&self, lost: bool) {
        #[cfg(not(fixed))]
        {
            if self.adapting.load(Ordering::Acquire) {
                return;
            }
            self.adapting.store(true, Ordering::Release);
        }
        #[cfg(fixed)]
        if self.adapting.swap(true, Ordering::Acquire) {
            return;
        }
        let size = self.size.load(Ordering::Relaxed);
        let next = if lost { size / 2 } else { size + 1 };
        self.size.store(next, Ordering::Relaxed);
        self.adapting.store(false, Ordering::Release);
    }
    pub fn size(&self) -> u64 {
        self.size.load(Ordering::Relaxed)
    }
}
