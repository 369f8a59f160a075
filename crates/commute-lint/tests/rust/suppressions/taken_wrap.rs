//! Who gets the last number starts again at nothing, and numbers that others got
//! in the meantime are given out twice.
//@ suppression: Taken
//@ finding: next
use std::sync::atomic::{AtomicU32, Ordering};
const LAST: u32 = 999;
pub struct Numbers {
    next: AtomicU32,
}
impl Numbers {
    pub fn next(&self) -> u32 {
        #[cfg(not(fixed))]
        {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= LAST {
                self.next.store(0, Ordering::Relaxed);
            }
            number
        }
        #[cfg(fixed)]
        {
            let step = |number| Some((number + 1) % (LAST + 1));
            let order = Ordering::Relaxed;
            self.next.fetch_update(order, order, step).unwrap_or(0)
        }
    }
}
