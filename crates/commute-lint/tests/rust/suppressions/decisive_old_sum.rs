//! The sum is computed once, before the loop that compares: what it writes in
//! the second round is old.
//@ suppression: Decisive
//@ finding: deposit
use std::sync::atomic::{AtomicU64, Ordering};
pub struct Account {
    balance: AtomicU64,
}
impl Account {
    pub fn deposit(&self, amount: u64) {
        let mut seen = self.balance.load(Ordering::Acquire);
        #[cfg(not(fixed))]
        let sum = seen + amount;
        loop {
            #[cfg(fixed)]
            let sum = seen + amount;
            let stored = self.balance.compare_exchange(
                seen,
                sum,
                Ordering::AcqRel,
                Ordering::Acquire,
            );
            match stored {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }
    pub fn balance(&self) -> u64 {
        self.balance.load(Ordering::Acquire)
    }
}
