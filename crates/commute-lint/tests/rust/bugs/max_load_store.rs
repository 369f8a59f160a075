//! max load store.
//@ finding: Gauge::observe
use std::sync::atomic::{AtomicI64, Ordering};
pub struct Gauge {
    max: AtomicI64,
}
impl Gauge {
    #[cfg(not(fixed))]
    pub fn observe(&self, value: i64) {
        let max = self.max.load(Ordering::Relaxed);
        if value > max {
            self.max.store(value, Ordering::Relaxed);
        }
    }
    #[cfg(fixed)]
    pub fn observe(&self, value: i64) {
        self.max.fetch_max(value, Ordering::Relaxed);
    }
    pub fn max(&self) -> i64 {
        self.max.load(Ordering::Relaxed)
    }
}
