//! Who waits, in the order in which they came.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The list. Its lock is taken after any lock of the program and no other is taken
/// while it is held, so it cannot be part of a deadlock.
#[derive(Debug)]
pub(super) struct Waiters(Mutex<VecDeque<Arc<Waiter>>>);

#[derive(Debug)]
struct Waiter {
    /// No longer in the list: a notification took it out.
    chosen: AtomicBool,
    /// Used with the lock of the list.
    wake_up: Condvar,
}

impl Waiters {
    pub(super) const fn new() -> Waiters {
        Waiters(Mutex::new(VecDeque::new()))
    }

    /// Nothing that holds the lock can panic but for lack of memory.
    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Waiter>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `begin` when no notification can be missed any more, and waits for
    /// one; whether it came in time.
    pub(super) fn wait(&self, until: Option<Instant>, begin: impl FnOnce()) -> bool {
        let me = Arc::new(Waiter {
            chosen: AtomicBool::new(false),
            wake_up: Condvar::new(),
        });
        let mut list = self.lock();
        list.push_back(Arc::clone(&me));
        begin();
        loop {
            list = match until {
                None => me
                    .wake_up
                    .wait(list)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    let waited = me.wake_up.wait_timeout(list, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
            if me.chosen.load(Relaxed) {
                return true;
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                list.retain(|waiter| !Arc::ptr_eq(waiter, &me));
                return false;
            }
        }
    }

    /// Calls `begin`, then wakes who has waited longest.
    pub(super) fn notify_one(&self, begin: impl FnOnce()) {
        let mut list = self.lock();
        begin();
        if let Some(waiter) = list.pop_front() {
            waiter.wake();
        }
    }

    /// Calls `begin`, then wakes all.
    pub(super) fn notify_all(&self, begin: impl FnOnce()) {
        let mut list = self.lock();
        begin();
        for waiter in list.drain(..) {
            waiter.wake();
        }
    }
}

impl Waiter {
    /// With the list locked.
    fn wake(&self) {
        self.chosen.store(true, Relaxed);
        self.wake_up.notify_one();
    }
}
