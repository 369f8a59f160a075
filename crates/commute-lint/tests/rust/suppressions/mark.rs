//! A mark says that the table is there, and a lock is taken to make it. Without
//! the lock the table is made twice.
//@ suppression: Mark
//@ finding: prepare
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
pub struct Tables {
    ready: AtomicBool,
    rows: Mutex<Vec<u64>>,
    made: AtomicBool,
}
impl Tables {
    pub fn prepare(&self) {
        if self.ready.load(Ordering::Acquire) {
            return;
        }
        #[cfg(fixed)]
        let mut rows = self.rows.lock().unwrap();
        #[cfg(fixed)]
        {
            *rows = (0..64).collect();
        }
        #[cfg(not(fixed))]
        self.fill();
        self.ready.store(true, Ordering::Release);
    }
    #[cfg(not(fixed))]
    fn fill(&self) {
        self.rows.lock().unwrap().extend(0..64);
    }
    pub fn forget(&self) {
        self.ready.store(false, Ordering::Release);
    }
}
