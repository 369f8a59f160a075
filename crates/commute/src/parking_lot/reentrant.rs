//! The mutex that a thread can take again. Its raw mutex is taken once.

use std::fmt;
use std::panic::Location;
use std::time::{Duration, Instant};

use ::parking_lot::lock_api;
use lock_api::GetThreadId;

use super::place::while_at;
use super::raw_mutex::RawMutex;
use super::thread_id::RawThreadId;

/// As [`parking_lot::ReentrantMutexGuard`](::parking_lot::ReentrantMutexGuard).
pub type ReentrantMutexGuard<'a, T> = lock_api::ReentrantMutexGuard<'a, RawMutex, RawThreadId, T>;

/// As [`parking_lot::MappedReentrantMutexGuard`](::parking_lot::MappedReentrantMutexGuard).
pub type MappedReentrantMutexGuard<'a, T> =
    lock_api::MappedReentrantMutexGuard<'a, RawMutex, RawThreadId, T>;

/// As [`parking_lot::ReentrantMutex`](::parking_lot::ReentrantMutex).
#[repr(transparent)]
pub struct ReentrantMutex<T: ?Sized> {
    inner: lock_api::ReentrantMutex<RawMutex, RawThreadId, T>,
}

/// As [`parking_lot::const_reentrant_mutex`](::parking_lot::const_reentrant_mutex).
#[track_caller]
pub const fn const_reentrant_mutex<T>(val: T) -> ReentrantMutex<T> {
    ReentrantMutex::new(val)
}

impl<T> ReentrantMutex<T> {
    /// As the original's.
    #[track_caller]
    pub const fn new(val: T) -> ReentrantMutex<T> {
        let raw = RawMutex::new();
        let inner = lock_api::ReentrantMutex::from_raw(raw, RawThreadId::INIT, val);
        ReentrantMutex { inner }
    }

    /// As the original's.
    pub fn into_inner(self) -> T {
        self.inner.into_inner()
    }
}

// lock_api does not hand the caller on to the raw mutex here.
impl<T: ?Sized> ReentrantMutex<T> {
    /// As the original's.
    #[track_caller]
    pub fn lock(&self) -> ReentrantMutexGuard<'_, T> {
        while_at(Location::caller(), || self.inner.lock())
    }

    /// As the original's. An attempt that fails is no event.
    #[track_caller]
    pub fn try_lock(&self) -> Option<ReentrantMutexGuard<'_, T>> {
        while_at(Location::caller(), || self.inner.try_lock())
    }

    /// As the original's. An attempt that fails is no event.
    #[track_caller]
    pub fn try_lock_for(&self, timeout: Duration) -> Option<ReentrantMutexGuard<'_, T>> {
        while_at(Location::caller(), || self.inner.try_lock_for(timeout))
    }

    /// As the original's. An attempt that fails is no event.
    #[track_caller]
    pub fn try_lock_until(&self, timeout: Instant) -> Option<ReentrantMutexGuard<'_, T>> {
        while_at(Location::caller(), || self.inner.try_lock_until(timeout))
    }

    /// As the original's.
    pub fn get_mut(&mut self) -> &mut T {
        self.inner.get_mut()
    }

    /// As the original's.
    pub fn is_locked(&self) -> bool {
        self.inner.is_locked()
    }

    /// As the original's.
    pub fn is_owned_by_current_thread(&self) -> bool {
        self.inner.is_owned_by_current_thread()
    }

    /// As the original's.
    pub fn data_ptr(&self) -> *mut T {
        self.inner.data_ptr()
    }

    pub(crate) fn raw_(&self) -> &RawMutex {
        // SAFETY: nobody here unlocks it.
        #[expect(unsafe_code, reason = "to get at the tag")]
        unsafe {
            self.inner.raw()
        }
    }
}

impl<T> From<T> for ReentrantMutex<T> {
    #[track_caller]
    fn from(t: T) -> ReentrantMutex<T> {
        ReentrantMutex::new(t)
    }
}

impl<T: Default> Default for ReentrantMutex<T> {
    #[track_caller]
    fn default() -> ReentrantMutex<T> {
        ReentrantMutex::new(T::default())
    }
}

/// Takes the lock if it is free, as the original's does, and says so.
impl<T: ?Sized + fmt::Debug> fmt::Debug for ReentrantMutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        while_at(self.raw_().tag.created(), || self.inner.fmt(f))
    }
}
