//! One is added, and taken back if the number that was read before says so: by
//! then it may be another.
//@ suppression: Undo
//@ finding: Seats::offer
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub struct Seats {
    taken: AtomicUsize,
    most: usize,
}

impl Seats {
    #[cfg(not(fixed))]
    pub fn offer(&self) -> bool {
        let before = self.taken.load(SeqCst);
        self.taken.fetch_add(1, SeqCst);
        if before >= self.most {
            self.taken.fetch_sub(1, SeqCst);
            return false;
        }
        true
    }

    #[cfg(fixed)]
    pub fn offer(&self) -> bool {
        if self.taken.fetch_add(1, SeqCst) >= self.most {
            self.taken.fetch_sub(1, SeqCst);
            return false;
        }
        true
    }
}
