//! The count was swapped out and is stored again: what was counted in between
//! is lost. Added again it is not.
//@ suppression: Taken
//@ finding: flush
use std::sync::atomic::{AtomicU64, Ordering};
pub struct Meter {
    pending: AtomicU64,
}
fn send(amount: u64) -> bool {
    amount < 1_000
}
impl Meter {
    pub fn count(&self) {
        self.pending.fetch_add(1, Ordering::Relaxed);
    }
    pub fn flush(&self) {
        let amount = self.pending.swap(0, Ordering::AcqRel);
        if !send(amount) {
            #[cfg(not(fixed))]
            self.pending.store(amount, Ordering::Release);
            #[cfg(fixed)]
            self.pending.fetch_add(amount, Ordering::AcqRel);
        }
    }
}
