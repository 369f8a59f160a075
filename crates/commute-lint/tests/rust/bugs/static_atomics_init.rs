//! static atomics init.
//@ finding: init
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
static INITIALIZED: AtomicBool = AtomicBool::new(false);
static LEVEL: AtomicUsize = AtomicUsize::new(0);
#[cfg(not(fixed))]
pub fn init(level: usize) -> bool {
    if INITIALIZED.load(Ordering::Acquire) {
        return false;
    }
    LEVEL.store(level, Ordering::Relaxed);
    INITIALIZED.store(true, Ordering::Release);
    true
}
#[cfg(fixed)]
pub fn init(level: usize) -> bool {
    if INITIALIZED
        .compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire)
        .is_err()
    {
        return false;
    }
    LEVEL.store(level, Ordering::Relaxed);
    true
}
