//! Budget that is left is loaded, and what remains is stored.
//@ finding: Budget::spend
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Budget {
    left: AtomicU64,
    refused: AtomicU64,
    per_second: u64,
}

#[derive(Debug, PartialEq)]
pub enum Verdict {
    Granted(u64),
    Refused,
}

impl Budget {
    pub fn new(per_second: u64) -> Budget {
        Budget {
            left: AtomicU64::new(per_second),
            refused: AtomicU64::new(0),
            per_second,
        }
    }
    fn cost(&self, bytes: u64) -> u64 {
        bytes.div_ceil(1024).max(1)
    }
    #[cfg(not(fixed))]
    pub fn spend(&self, bytes: u64) -> Verdict {
        let cost = self.cost(bytes);
        let left = self.left.load(Ordering::Acquire);
        match left.checked_sub(cost) {
            Some(rest) => {
                self.left.store(rest, Ordering::Release);
                Verdict::Granted(rest)
            }
            None => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Verdict::Refused
            }
        }
    }
    #[cfg(fixed)]
    pub fn spend(&self, bytes: u64) -> Verdict {
        let cost = self.cost(bytes);
        let spent = self
            .left
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| {
                left.checked_sub(cost)
            });
        match spent {
            Ok(left) => Verdict::Granted(left - cost),
            Err(_) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Verdict::Refused
            }
        }
    }
    pub fn refill(&self) {
        self.left.store(self.per_second, Ordering::Release);
    }
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}
