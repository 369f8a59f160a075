//! A worker leaves if there are more than the least number. It has added one
//! for the job, and takes that back; the other that it takes is itself, which
//! nobody adds here, and the last ones may all leave at once.
//@ suppression: Undo
//@ finding: Workers::leave
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub struct Workers {
    all: AtomicUsize,
    jobs: AtomicUsize,
    least: usize,
}

impl Workers {
    #[cfg(not(fixed))]
    pub fn leave(&self, last: fn()) -> bool {
        if self.all.load(SeqCst) <= self.least {
            return false;
        }
        self.jobs.fetch_add(1, SeqCst);
        last();
        self.jobs.fetch_sub(1, SeqCst);
        self.all.fetch_sub(1, SeqCst);
        true
    }

    #[cfg(fixed)]
    pub fn leave(&self, last: fn()) -> bool {
        let fewer = |all: usize| all.checked_sub(1).filter(|left| *left >= self.least);
        if self.all.fetch_update(SeqCst, SeqCst, fewer).is_err() {
            return false;
        }
        self.jobs.fetch_add(1, SeqCst);
        last();
        self.jobs.fetch_sub(1, SeqCst);
        true
    }
}
