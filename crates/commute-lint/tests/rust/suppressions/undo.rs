//! Who was let in counts itself, and takes itself out of the count again: that
//! is due however many there are by then. But nobody else may be let in between
//! the look at the count and the addition.
//@ suppression: Undo
//@ finding: Workers::run
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub struct Workers {
    door: Mutex<()>,
    active: AtomicUsize,
    most: usize,
}

impl Workers {
    pub fn run(&self, job: fn()) -> bool {
        let door = self.door.lock().unwrap();
        if self.active.load(SeqCst) >= self.most {
            return false;
        }
        #[cfg(not(fixed))]
        drop(door);
        self.active.fetch_add(1, SeqCst);
        #[cfg(fixed)]
        drop(door);
        job();
        self.active.fetch_sub(1, SeqCst);
        true
    }
}
