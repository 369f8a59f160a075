//! A circuit breaker lets one request try again after a pause. Its state is an
//! atomic that is loaded and stored: all requests that see the pause end become
//! the one. The transition is now a compare and exchange.
//@ finding: CircuitBreaker::can_execute
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

const CLOSED: u8 = 0;
const OPEN: u8 = 1;
const HALF_OPEN: u8 = 2;

pub struct CircuitBreaker {
    state: AtomicU8,
    failures: AtomicU32,
    opened_at: AtomicU64,
    pause: u64,
    threshold: u32,
}

impl CircuitBreaker {
    fn pause_is_over(&self, now: u64) -> bool {
        now.saturating_sub(self.opened_at.load(Ordering::Acquire)) >= self.pause
    }

    #[cfg(not(fixed))]
    fn try_half_open(&self) -> bool {
        if self.state.load(Ordering::Acquire) != OPEN {
            return false;
        }
        self.state.store(HALF_OPEN, Ordering::Release);
        true
    }

    #[cfg(fixed)]
    fn try_half_open(&self) -> bool {
        self.state
            .compare_exchange(OPEN, HALF_OPEN, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }

    pub fn can_execute(&self, now: u64) -> bool {
        match self.state.load(Ordering::Acquire) {
            CLOSED => true,
            OPEN if self.pause_is_over(now) => self.try_half_open(),
            _ => false,
        }
    }

    pub fn on_success(&self) {
        self.failures.store(0, Ordering::Release);
        self.state.store(CLOSED, Ordering::Release);
    }

    pub fn on_failure(&self, now: u64) {
        if self.failures.fetch_add(1, Ordering::AcqRel) + 1 >= self.threshold {
            self.opened_at.store(now, Ordering::Release);
            self.state.store(OPEN, Ordering::Release);
        }
    }
}
