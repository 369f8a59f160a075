//! Whoever owns the slot counts alone: the one who gave it away promised that, and
//! says so with `unsafe`. What is behind a lock has no such promise.
//@ suppression: Unchecked
//@ finding: Slot::count
use std::cell::UnsafeCell;
#[cfg(not(fixed))]
use std::sync::Mutex;
#[cfg(fixed)]
use std::sync::atomic::{AtomicU64, Ordering};
pub struct Slot {
    value: UnsafeCell<u64>,
    #[cfg(fixed)]
    writes: AtomicU64,
    #[cfg(not(fixed))]
    writes: Mutex<u64>,
}
unsafe impl Sync for Slot {}
impl Slot {
    /// # Safety
    /// Only the owner of the slot may write.
    pub unsafe fn write(&self, value: u64) {
        unsafe { *self.value.get() = value };
        self.count();
    }
    #[cfg(fixed)]
    pub fn count(&self) {
        let writes = self.writes.load(Ordering::Relaxed);
        self.writes.store(writes + 1, Ordering::Relaxed);
    }
    #[cfg(not(fixed))]
    pub fn count(&self) {
        let writes = *self.writes.lock().unwrap();
        *self.writes.lock().unwrap() = writes + 1;
    }
}
