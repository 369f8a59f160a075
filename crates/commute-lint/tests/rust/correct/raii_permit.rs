//! Raii permit, as far as the cases use it.
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
pub struct Limiter {
    active: Arc<AtomicUsize>,
    max: usize,
}
pub struct Permit(Arc<AtomicUsize>);
impl Limiter {
    pub fn permit(&self) -> Option<Permit> {
        self.active
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| {
                (n < self.max).then_some(n + 1)
            })
            .ok()?;
        Some(Permit(self.active.clone()))
    }
    pub fn active(&self) -> usize {
        self.active.load(Ordering::Relaxed)
    }
}
impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
