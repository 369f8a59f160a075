//! Retry loop compare exchange, as far as the cases use it.
use std::sync::atomic::{AtomicU64, Ordering};
pub struct Clock {
    last: AtomicU64,
}
impl Clock {
    pub fn tick(&self, now: u64) -> u64 {
        let mut last = self.last.load(Ordering::Relaxed);
        loop {
            let next = now.max(last + 1);
            match self
                .last
                .compare_exchange_weak(last, next, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) => return next,
                Err(seen) => last = seen,
            }
        }
    }
}
