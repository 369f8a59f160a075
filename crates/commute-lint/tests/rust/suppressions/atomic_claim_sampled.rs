//! Every 64th call adapts. Two of them can be on their way at the same time: a
//! count that goes on is not a claim.
//@ suppression: AtomicClaim
//@ finding: observe
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub struct Average {
    calls: AtomicU64,
    busy: AtomicBool,
    value: AtomicU64,
}
impl Average {
    pub fn observe(&self, sample: u64) {
        #[cfg(not(fixed))]
        if self.calls.fetch_add(1, Ordering::Relaxed) % 64 != 0 {
            return;
        }
        #[cfg(fixed)]
        if self.busy.swap(true, Ordering::Acquire) {
            return;
        }
        let value = self.value.load(Ordering::Relaxed);
        self.value
            .store(value - value / 8 + sample / 8, Ordering::Relaxed);
        #[cfg(fixed)]
        self.busy.store(false, Ordering::Release);
    }
}
