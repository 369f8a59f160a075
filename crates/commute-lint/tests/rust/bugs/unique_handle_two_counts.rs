//! A shared pointer made by hand may be written in place if nobody else has it.
//! The strong and the weak count are read one after the other: a weak pointer
//! becomes a strong one in between, and two have it mutably. The weak count is
//! now locked by a value that nobody else can count on.
//@ finding: Shared::is_unique
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Counts {
    strong: AtomicUsize,
    weak: AtomicUsize,
}

pub struct Shared {
    counts: Arc<Counts>,
}

impl Shared {
    #[cfg(not(fixed))]
    pub fn is_unique(&self) -> bool {
        self.counts.strong.load(Ordering::SeqCst) == 1
            && self.counts.weak.load(Ordering::SeqCst) == 1
    }

    #[cfg(fixed)]
    pub fn is_unique(&self) -> bool {
        let weak = &self.counts.weak;
        if weak
            .compare_exchange(1, usize::MAX, Ordering::SeqCst, Ordering::SeqCst)
            .is_err()
        {
            return false;
        }
        let unique = self.counts.strong.load(Ordering::SeqCst) == 1;
        weak.store(1, Ordering::SeqCst);
        unique
    }

    pub fn downgrade(&self) {
        loop {
            let weak = self.counts.weak.load(Ordering::SeqCst);
            if weak == usize::MAX {
                std::hint::spin_loop();
                continue;
            }
            let next = weak + 1;
            let result =
                self.counts
                    .weak
                    .compare_exchange(weak, next, Ordering::SeqCst, Ordering::SeqCst);
            if result.is_ok() {
                return;
            }
        }
    }

    pub fn upgrade_weak(&self) {
        self.counts.strong.fetch_add(1, Ordering::SeqCst);
        self.counts.weak.fetch_sub(1, Ordering::SeqCst);
    }
}
