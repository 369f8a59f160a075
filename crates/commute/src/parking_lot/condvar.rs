//! `parking_lot::Condvar`: beginning to wait and notifying are recorded while the
//! list of who waits is locked, so that it is known which came first.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{Location, RefUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use ::parking_lot as original;
use commute_record::{Kind, Tag, is_on, notify, wait, wake};

use commute_explore::runtime::Object;

use super::mutex::MutexGuard;
use super::place::At;
use super::raw_mutex::RawMutex;
use crate::explored;
use crate::explored::lock::Section;

static CONDVAR: Kind = Kind::condvar("condvar");

/// As [`parking_lot::Condvar`](original::Condvar), but that it can be used with
/// several mutexes at a time.
pub struct Condvar {
    pub(crate) tag: Tag,
    /// In the order in which they came. Its lock is taken after any lock of the
    /// program and no other is taken while it is held.
    waiters: original::Mutex<VecDeque<Arc<Waiter>>>,
}

/// A panic leaves the list whole: nothing that can panic is done under its lock.
impl RefUnwindSafe for Condvar {}

struct Waiter {
    /// No longer in the list: a notification took it out.
    chosen: AtomicBool,
    /// Used with the lock of the list.
    wake_up: original::Condvar,
}

impl Waiter {
    /// With the list locked.
    fn wake(&self) {
        self.chosen.store(true, Relaxed);
        self.wake_up.notify_one();
    }
}

/// As [`parking_lot::WaitTimeoutResult`](original::WaitTimeoutResult).
#[derive(Debug, PartialEq, Eq, Copy, Clone)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// As the original's.
    pub fn timed_out(self) -> bool {
        self.0
    }
}

impl Condvar {
    /// As [`parking_lot::Condvar::new`](original::Condvar::new).
    #[track_caller]
    pub const fn new() -> Condvar {
        Condvar {
            tag: Tag::new(&CONDVAR),
            waiters: original::const_mutex(VecDeque::new()),
        }
    }

    /// As [`parking_lot::Condvar::notify_one`](original::Condvar::notify_one).
    #[track_caller]
    pub fn notify_one(&self) -> bool {
        if explored::is_on(&self.tag) {
            return self.notify_explored("notify_one_of", Location::caller()) > 0;
        }
        let mut waiters = self.waiters.lock();
        self.say(false, Location::caller());
        let chosen = waiters.pop_front();
        chosen.inspect(|waiter| waiter.wake()).is_some()
    }

    /// As [`parking_lot::Condvar::notify_all`](original::Condvar::notify_all).
    #[track_caller]
    pub fn notify_all(&self) -> usize {
        if explored::is_on(&self.tag) {
            return self.notify_explored("notify_all_of", Location::caller());
        }
        let mut waiters = self.waiters.lock();
        self.say(true, Location::caller());
        let woken = waiters.len();
        waiters.drain(..).for_each(|waiter| waiter.wake());
        woken
    }

    /// In a test that is explored: how many are woken.
    fn notify_explored(&self, method: &'static str, at: At) -> usize {
        let first = || explored::condvar::object_of(&self.tag);
        let condvar = Object {
            mark: self.tag.mark(),
            first: &first,
        };
        explored::condvar::notify_some(condvar, method, at)
    }

    fn say(&self, all: bool, at: At) {
        if is_on() {
            notify(&self.tag, all, at);
        }
    }

    /// As [`parking_lot::Condvar::wait`](original::Condvar::wait).
    #[track_caller]
    pub fn wait<T: ?Sized>(&self, mutex_guard: &mut MutexGuard<'_, T>) {
        self.wait_at(mutex_guard, None, Location::caller());
    }

    /// As [`parking_lot::Condvar::wait_until`](original::Condvar::wait_until).
    #[track_caller]
    pub fn wait_until<T: ?Sized>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        timeout: Instant,
    ) -> WaitTimeoutResult {
        self.wait_at(mutex_guard, Some(timeout), Location::caller())
    }

    /// As [`parking_lot::Condvar::wait_for`](original::Condvar::wait_for).
    #[track_caller]
    pub fn wait_for<T: ?Sized>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        timeout: Duration,
    ) -> WaitTimeoutResult {
        // A time that no clock can show is none.
        let until = Instant::now().checked_add(timeout);
        self.wait_at(mutex_guard, until, Location::caller())
    }

    /// As [`parking_lot::Condvar::wait_while`](original::Condvar::wait_while).
    #[track_caller]
    pub fn wait_while<T, F>(&self, mutex_guard: &mut MutexGuard<'_, T>, condition: F)
    where
        T: ?Sized,
        F: FnMut(&mut T) -> bool,
    {
        self.wait_while_at(mutex_guard, condition, None, Location::caller());
    }

    /// As [`parking_lot::Condvar::wait_while_until`](original::Condvar::wait_while_until).
    #[track_caller]
    pub fn wait_while_until<T, F>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        condition: F,
        timeout: Instant,
    ) -> WaitTimeoutResult
    where
        T: ?Sized,
        F: FnMut(&mut T) -> bool,
    {
        self.wait_while_at(mutex_guard, condition, Some(timeout), Location::caller())
    }

    /// As [`parking_lot::Condvar::wait_while_for`](original::Condvar::wait_while_for).
    #[track_caller]
    pub fn wait_while_for<T: ?Sized, F>(
        &self,
        mutex_guard: &mut MutexGuard<'_, T>,
        condition: F,
        timeout: Duration,
    ) -> WaitTimeoutResult
    where
        F: FnMut(&mut T) -> bool,
    {
        let until = Instant::now().checked_add(timeout);
        self.wait_while_at(mutex_guard, condition, until, Location::caller())
    }

    fn wait_while_at<T: ?Sized>(
        &self,
        guard: &mut MutexGuard<'_, T>,
        mut condition: impl FnMut(&mut T) -> bool,
        until: Option<Instant>,
        at: At,
    ) -> WaitTimeoutResult {
        let mut result = WaitTimeoutResult(false);
        while !result.timed_out() && condition(&mut **guard) {
            result = self.wait_at(guard, until, at);
        }
        result
    }

    fn wait_at<T: ?Sized>(
        &self,
        guard: &mut MutexGuard<'_, T>,
        until: Option<Instant>,
        at: At,
    ) -> WaitTimeoutResult {
        // SAFETY: the guard shows that this thread holds the mutex; it is given back
        // once and taken again before the guard can be used.
        #[expect(unsafe_code, reason = "a guard that is borrowed cannot be dropped")]
        let (mutex, unlock) = unsafe {
            let mutex: &RawMutex = MutexGuard::mutex(guard).raw();
            (mutex, || mutex.unlock_silently())
        };
        if explored::is_on(&self.tag) {
            let first = || explored::condvar::object_of(&self.tag);
            let condvar = Object {
                mark: self.tag.mark(),
                first: &first,
            };
            let section = Some((Section::raw(), true));
            explored::condvar::begin(condvar, &mutex.tag, section, at);
            unlock();
            let notified = explored::condvar::wake(condvar, until.is_some(), at);
            mutex.lock_again(at, || {});
            return WaitTimeoutResult(!notified);
        }
        let mut waits = false;
        let notified = self.wait_in_line(until, || {
            waits = mutex.is_recorded();
            if waits {
                wait(&self.tag, &mutex.tag, at);
            }
            unlock();
        });
        mutex.lock_again(at, || {
            if waits {
                wake(&self.tag, &mutex.tag, at);
            }
        });
        WaitTimeoutResult(!notified)
    }

    /// Calls `begin` when no notification can be missed any more, and waits for one;
    /// whether it came in time.
    fn wait_in_line(&self, until: Option<Instant>, begin: impl FnOnce()) -> bool {
        let me = Arc::new(Waiter {
            chosen: AtomicBool::new(false),
            wake_up: original::Condvar::new(),
        });
        let mut waiters = self.waiters.lock();
        waiters.push_back(Arc::clone(&me));
        begin();
        loop {
            match until {
                None => me.wake_up.wait(&mut waiters),
                Some(until) => drop(me.wake_up.wait_until(&mut waiters, until)),
            }
            if me.chosen.load(Relaxed) {
                return true;
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                waiters.retain(|waiter| !Arc::ptr_eq(waiter, &me));
                return false;
            }
        }
    }
}

impl Default for Condvar {
    #[track_caller]
    fn default() -> Condvar {
        Condvar::new()
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Condvar { .. }")
    }
}
