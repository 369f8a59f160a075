//! What mutexes are made of.

use std::panic::Location;
use std::time::{Duration, Instant};

use ::parking_lot as original;
use commute_record::{Kind, LockOp, Tag};
use original::lock_api::{self, RawMutexFair, RawMutexTimed};

use super::holder::Holder;
use super::place::{At, Taken, of_client};
use super::section;
use crate::explored;
use crate::explored::raw_lock as lock;

static MUTEX: Kind = Kind::lock("mutex");

/// As [`parking_lot::RawMutex`](original::RawMutex).
pub type RawMutex = Watched<original::RawMutex>;

/// As [`parking_lot::RawFairMutex`](original::RawFairMutex).
pub type RawFairMutex = Watched<original::RawFairMutex>;

/// A raw mutex that tells what it does, while it is held.
pub struct Watched<R> {
    pub(crate) tag: Tag,
    taken: Taken,
    holder: Holder,
    inner: R,
}

impl<R: lock_api::RawMutex> Watched<R> {
    #[track_caller]
    pub(super) const fn new() -> Watched<R> {
        Watched::made_at(Location::caller())
    }

    const fn made_at(at: At) -> Watched<R> {
        Watched {
            tag: Tag::made_at(&MUTEX, at),
            taken: Taken::nowhere(),
            holder: Holder::nobody(),
            inner: R::INIT,
        }
    }

    fn taken_at(&self) -> At {
        self.taken.get().unwrap_or(self.tag.created())
    }

    /// Takes it in a test that is explored; none elsewhere.
    #[inline]
    fn take_explored(&self, method: &'static str, at: At) -> Option<bool> {
        if !explored::is_on(&self.tag) {
            return None;
        }
        let at = of_client(at, || self.taken_at());
        let took = lock::take_raw(&self.tag, method, at, || self.inner.try_lock());
        if took {
            self.taken.set(at);
        }
        Some(took)
    }

    /// It was just taken.
    #[inline]
    fn took(&self, at: At) {
        if self.holder.takes() {
            let at = of_client(at, || self.taken_at());
            self.taken.set(at);
            section::begin(&self.tag, LockOp::Acquire, at);
        }
    }

    /// It is about to be given back.
    #[inline]
    fn gives_back(&self) {
        if explored::is_on(&self.tag) {
            return lock::tell_raw(&self.tag, "unlock", true, self.taken_at());
        }
        if self.holder.holds() {
            commute_record::lock(&self.tag, LockOp::Release, self.taken_at());
        }
    }

    /// Gives it back without saying so.
    ///
    /// # Safety
    ///
    /// This thread must hold it.
    #[expect(unsafe_code, reason = "as lock_api's")]
    pub(super) unsafe fn unlock_silently(&self) {
        // SAFETY: the caller's promise.
        unsafe { self.inner.unlock() };
    }

    /// Whether what this thread does, which holds it, is to be recorded.
    pub(super) fn is_recorded(&self) -> bool {
        self.holder.holds()
    }

    /// Takes it again; `say` says so.
    pub(super) fn lock_again(&self, at: At, say: impl FnOnce()) {
        if self.take_explored("lock", at).is_some() {
            return;
        }
        self.inner.lock();
        self.taken.set(at);
        if self.holder.takes() {
            say();
            section::begun(&self.tag, LockOp::Acquire, at);
        }
    }
}

// SAFETY: the original excludes whom it excludes.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl<R: lock_api::RawMutex> lock_api::RawMutex for Watched<R> {
    const INIT: Self = Watched::new();

    type GuardMarker = R::GuardMarker;

    #[track_caller]
    #[inline]
    fn lock(&self) {
        if self.take_explored("lock", Location::caller()).is_some() {
            return;
        }
        self.inner.lock();
        self.took(Location::caller());
    }

    #[track_caller]
    #[inline]
    fn try_lock(&self) -> bool {
        if let Some(took) = self.take_explored("try_lock", Location::caller()) {
            return took;
        }
        let took = self.inner.try_lock();
        if took {
            self.took(Location::caller());
        }
        took
    }

    #[inline]
    unsafe fn unlock(&self) {
        self.gives_back();
        // SAFETY: the caller's promise.
        unsafe { self.inner.unlock() };
    }

    #[inline]
    fn is_locked(&self) -> bool {
        if explored::is_on(&self.tag) {
            return lock::is_held(&self.tag, "is_locked", || self.inner.is_locked());
        }
        self.inner.is_locked()
    }
}

// SAFETY: as above.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl<R: RawMutexFair> RawMutexFair for Watched<R> {
    #[inline]
    unsafe fn unlock_fair(&self) {
        self.gives_back();
        // SAFETY: the caller's promise.
        unsafe { self.inner.unlock_fair() };
    }

    #[track_caller]
    #[inline]
    unsafe fn bump(&self) {
        self.gives_back();
        if explored::is_on(&self.tag) {
            // SAFETY: the caller's promise.
            unsafe { self.inner.unlock() };
            self.take_explored("lock", Location::caller());
            return;
        }
        // SAFETY: the caller's promise.
        unsafe { self.inner.bump() };
        self.took(Location::caller());
    }
}

// SAFETY: as above.
#[expect(unsafe_code, reason = "all raw locks are")]
unsafe impl<R> RawMutexTimed for Watched<R>
where
    R: RawMutexTimed<Duration = Duration, Instant = Instant>,
{
    type Duration = Duration;
    type Instant = Instant;

    #[track_caller]
    #[inline]
    fn try_lock_for(&self, timeout: Duration) -> bool {
        if let Some(took) = self.take_explored("try_lock", Location::caller()) {
            return took;
        }
        let took = self.inner.try_lock_for(timeout);
        if took {
            self.took(Location::caller());
        }
        took
    }

    #[track_caller]
    #[inline]
    fn try_lock_until(&self, timeout: Instant) -> bool {
        if let Some(took) = self.take_explored("try_lock", Location::caller()) {
            return took;
        }
        let took = self.inner.try_lock_until(timeout);
        if took {
            self.took(Location::caller());
        }
        took
    }
}
