//! `std::sync::Condvar`, observable: `wait` is `wait` and `wake`, notifications are
//! `notify` and `notify_all`.
//!
//! From outside of std's condition variable it cannot be known whether a
//! notification came before a wait or after it. So who waits is in a list of our
//! own; beginning to wait and notifying are recorded while the list is locked. A
//! waiting thread that a notification chose counts as notified even if its time is
//! over by then. There are no other ways to wake up.

mod waiters;

use std::fmt;
use std::panic::Location;
use std::time::{Duration, Instant};

use commute_explore::runtime::Object;
use commute_record::{Kind, Tag, is_on, notify, wait, wake};

use self::waiters::Waiters;
use super::{LockResult, MutexGuard};
use crate::explored;

static CONDVAR: Kind = Kind::condvar("condvar");

/// As [`std::sync::Condvar`].
pub struct Condvar {
    pub(crate) tag: Tag,
    waiters: Waiters,
}

/// As [`std::sync::WaitTimeoutResult`].
#[derive(Debug, PartialEq, Eq, Copy, Clone)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// As [`std::sync::WaitTimeoutResult::timed_out`].
    #[must_use]
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    /// As [`std::sync::Condvar::new`].
    #[track_caller]
    #[must_use]
    #[inline]
    pub const fn new() -> Condvar {
        Condvar {
            tag: Tag::new(&CONDVAR),
            waiters: Waiters::new(),
        }
    }

    /// As [`std::sync::Condvar::wait`].
    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        self.wait_at(guard, None, Location::caller()).0
    }

    /// As [`std::sync::Condvar::wait_while`].
    #[track_caller]
    pub fn wait_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: F,
    ) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        while condition(&mut *guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// As [`std::sync::Condvar::wait_timeout_ms`].
    #[track_caller]
    #[deprecated(note = "replaced by `wait_timeout`")]
    pub fn wait_timeout_ms<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        ms: u32,
    ) -> LockResult<(MutexGuard<'a, T>, bool)> {
        let result = self.wait_timeout(guard, Duration::from_millis(ms.into()));
        super::poison::map(result, |(guard, result)| (guard, !result.timed_out()))
    }

    /// As [`std::sync::Condvar::wait_timeout`].
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        dur: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        // A time that no clock can show is none. Where a test is explored it may be over
        // at any time.
        let until = Instant::now().checked_add(dur);
        let (result, notified) = self.wait_at(guard, until, Location::caller());
        let timeout = WaitTimeoutResult(!notified);
        super::poison::map(result, |guard| (guard, timeout))
    }

    /// As [`std::sync::Condvar::wait_timeout_while`].
    #[track_caller]
    pub fn wait_timeout_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        dur: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>
    where
        F: FnMut(&mut T) -> bool,
    {
        if explored::is_on(&self.tag) {
            let mut timed_out = false;
            while condition(&mut *guard) {
                if timed_out {
                    return Ok((guard, WaitTimeoutResult(true)));
                }
                let waited = self.wait_timeout(guard, dur)?;
                (guard, timed_out) = (waited.0, waited.1.timed_out());
            }
            return Ok((guard, WaitTimeoutResult(false)));
        }
        let start = Instant::now();
        while condition(&mut *guard) {
            let Some(left) = dur.checked_sub(start.elapsed()) else {
                return Ok((guard, WaitTimeoutResult(true)));
            };
            guard = self.wait_timeout(guard, left)?.0;
        }
        Ok((guard, WaitTimeoutResult(false)))
    }

    /// As [`std::sync::Condvar::notify_one`].
    #[track_caller]
    pub fn notify_one(&self) {
        let at = Location::caller();
        if explored::is_on(&self.tag) {
            return self.explored(|condvar| explored::condvar::notify(condvar, false, at));
        }
        self.waiters.notify_one(|| self.record_notify(false, at));
    }

    /// As [`std::sync::Condvar::notify_all`].
    #[track_caller]
    pub fn notify_all(&self) {
        let at = Location::caller();
        if explored::is_on(&self.tag) {
            return self.explored(|condvar| explored::condvar::notify(condvar, true, at));
        }
        self.waiters.notify_all(|| self.record_notify(true, at));
    }

    fn record_notify(&self, all: bool, at: &'static Location<'static>) {
        if is_on() {
            notify(&self.tag, all, at);
        }
    }

    /// Does something as a step of a test that is explored.
    fn explored<R>(&self, f: impl FnOnce(Object<'_>) -> R) -> R {
        let first = || explored::condvar::object_of(&self.tag).all_of(self);
        let mark = self.tag.mark();
        let first = &first;
        f(Object { mark, first })
    }

    /// Waits; whether a notification ended that.
    fn wait_at<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        until: Option<Instant>,
        at: &'static Location<'static>,
    ) -> (LockResult<MutexGuard<'a, T>>, bool) {
        if explored::is_on(&self.tag) {
            let mutex = guard.give_up_explored(|mutex, section| {
                self.explored(|condvar| explored::condvar::begin(condvar, mutex, section, at));
            });
            let has_time = until.is_some();
            let notified = self.explored(|me| explored::condvar::wake(me, has_time, at));
            return (mutex.lock_at(at), notified);
        }
        let mut recorded = false;
        let mut mutex = None;
        let notified = self.waiters.wait(until, || {
            mutex = Some(guard.give_up(|mutex, acquired| {
                recorded = acquired && is_on();
                if recorded {
                    wait(&self.tag, &mutex.tag, at);
                }
            }));
        });
        let mutex = mutex.expect("a wait begins before it ends");
        let guard = MutexGuard::take_again(mutex, || {
            recorded = recorded && is_on();
            if recorded {
                wake(&self.tag, &mutex.tag, at);
            }
            recorded.then_some(at)
        });
        (guard, notified)
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condvar").finish_non_exhaustive()
    }
}

impl Default for Condvar {
    #[track_caller]
    fn default() -> Condvar {
        Condvar::new()
    }
}
