//! A limiter adds tokens when its next tick has come. Several threads see that
//! it has, each moves the tick and adds tokens: more are in the bucket than
//! time has passed. Now only the one that moves the tick by compare and
//! exchange adds.
//@ finding: Ratelimiter::refill
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Ratelimiter {
    available: AtomicU64,
    next: AtomicU64,
    interval: u64,
    quantum: u64,
    capacity: u64,
}

impl Ratelimiter {
    #[cfg(not(fixed))]
    fn refill(&self, now: u64) {
        let next = self.next.load(Ordering::Relaxed);
        if now >= next {
            self.next.fetch_add(self.interval, Ordering::Relaxed);
            let available = self.available.load(Ordering::Relaxed);
            if available + self.quantum >= self.capacity {
                self.available.store(self.capacity, Ordering::Relaxed);
            } else {
                self.available.fetch_add(self.quantum, Ordering::Relaxed);
            }
        }
    }

    #[cfg(fixed)]
    fn refill(&self, now: u64) {
        let next = self.next.load(Ordering::Relaxed);
        if now < next {
            return;
        }
        let moved = self.next.compare_exchange(
            next,
            next + self.interval,
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
        if moved.is_ok() {
            let _ =
                self.available
                    .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |available| {
                        Some((available + self.quantum).min(self.capacity))
                    });
        }
    }

    pub fn try_take(&self, now: u64) -> bool {
        self.refill(now);
        self.available
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |available| {
                available.checked_sub(1)
            })
            .is_ok()
    }
}
