//! A budget is looked at by a helper until there is enough.
//@ finding: Budget::take
use parking_lot::Mutex;
use std::thread;
use std::time::Duration;

pub struct Budget {
    left: Mutex<u64>,
}

impl Budget {
    pub fn new(left: u64) -> Budget {
        Budget { left: Mutex::new(left) }
    }
    fn left(&self) -> u64 {
        *self.left.lock()
    }
    #[cfg(not(fixed))]
    pub fn take(&self, amount: u64) {
        while self.left() < amount {
            thread::sleep(Duration::from_millis(5));
        }
        *self.left.lock() -= amount;
    }
    #[cfg(fixed)]
    pub fn take(&self, amount: u64) {
        loop {
            let mut left = self.left.lock();
            if *left >= amount {
                *left -= amount;
                return;
            }
            drop(left);
            thread::sleep(Duration::from_millis(5));
        }
    }
    pub fn refill(&self, amount: u64) {
        *self.left.lock() += amount;
    }
}
