//! A mark is looked at without the lock, and set under it whatever was seen: two
//! that come at once both fill the table.
//@ finding: Setup::prepare
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Setup {
    done: AtomicBool,
    table: Mutex<Vec<u32>>,
}

impl Setup {
    pub fn prepare(&self) {
        #[cfg(not(fixed))]
        let done = self.done.load(Ordering::SeqCst);
        let mut table = self.table.lock().unwrap();
        #[cfg(fixed)]
        let done = self.done.load(Ordering::SeqCst);
        if !done {
            table.push(1);
        }
        self.done.store(true, Ordering::SeqCst);
    }

    pub fn reset(&self) {
        let mut table = self.table.lock().unwrap();
        table.clear();
        self.done.store(false, Ordering::SeqCst);
    }
}
