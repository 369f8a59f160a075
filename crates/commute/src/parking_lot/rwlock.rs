//! The reader-writer lock.

use std::fmt;
use std::time::{Duration, Instant};

use ::parking_lot::lock_api;

use super::place::while_at;
use super::raw_rwlock::RawRwLock;

/// As [`parking_lot::RwLockReadGuard`](::parking_lot::RwLockReadGuard).
pub type RwLockReadGuard<'a, T> = lock_api::RwLockReadGuard<'a, RawRwLock, T>;

/// As [`parking_lot::RwLockWriteGuard`](::parking_lot::RwLockWriteGuard).
pub type RwLockWriteGuard<'a, T> = lock_api::RwLockWriteGuard<'a, RawRwLock, T>;

/// As [`parking_lot::RwLockUpgradableReadGuard`](::parking_lot::RwLockUpgradableReadGuard).
pub type RwLockUpgradableReadGuard<'a, T> = lock_api::RwLockUpgradableReadGuard<'a, RawRwLock, T>;

/// As [`parking_lot::MappedRwLockReadGuard`](::parking_lot::MappedRwLockReadGuard).
pub type MappedRwLockReadGuard<'a, T> = lock_api::MappedRwLockReadGuard<'a, RawRwLock, T>;

/// As [`parking_lot::MappedRwLockWriteGuard`](::parking_lot::MappedRwLockWriteGuard).
pub type MappedRwLockWriteGuard<'a, T> = lock_api::MappedRwLockWriteGuard<'a, RawRwLock, T>;

/// As [`parking_lot::RwLock`](::parking_lot::RwLock). A type of its own around
/// lock_api's, which would not know where it was made.
#[repr(transparent)]
pub struct RwLock<T: ?Sized> {
    inner: lock_api::RwLock<RawRwLock, T>,
}

/// As [`parking_lot::const_rwlock`](::parking_lot::const_rwlock).
#[track_caller]
pub const fn const_rwlock<T>(val: T) -> RwLock<T> {
    RwLock::new(val)
}

impl<T> RwLock<T> {
    /// As the original's.
    #[track_caller]
    #[inline]
    pub const fn new(val: T) -> RwLock<T> {
        let inner = lock_api::RwLock::from_raw(RawRwLock::new(), val);
        RwLock { inner }
    }

    /// As the original's.
    pub fn into_inner(self) -> T {
        self.inner.into_inner()
    }
}

macro_rules! guards {
    ($($method:ident($($timeout:ident: $Time:ty)?) -> $Guard:ty;)*) => {
        $(/// As the original's. An attempt that fails is no event.
        #[track_caller]
        #[inline]
        pub fn $method(&self $(, $timeout: $Time)?) -> $Guard {
            self.offer();
            let guard = self.inner.$method($($timeout)?);
            self.offered(&guard);
            guard
        })*
    };
}

impl<T: ?Sized> RwLock<T> {
    guards! {
        read() -> RwLockReadGuard<'_, T>;
        try_read() -> Option<RwLockReadGuard<'_, T>>;
        try_read_for(timeout: Duration) -> Option<RwLockReadGuard<'_, T>>;
        try_read_until(timeout: Instant) -> Option<RwLockReadGuard<'_, T>>;
        read_recursive() -> RwLockReadGuard<'_, T>;
        try_read_recursive() -> Option<RwLockReadGuard<'_, T>>;
        try_read_recursive_for(timeout: Duration) -> Option<RwLockReadGuard<'_, T>>;
        try_read_recursive_until(timeout: Instant) -> Option<RwLockReadGuard<'_, T>>;
        write() -> RwLockWriteGuard<'_, T>;
        try_write() -> Option<RwLockWriteGuard<'_, T>>;
        try_write_for(timeout: Duration) -> Option<RwLockWriteGuard<'_, T>>;
        try_write_until(timeout: Instant) -> Option<RwLockWriteGuard<'_, T>>;
        upgradable_read() -> RwLockUpgradableReadGuard<'_, T>;
        try_upgradable_read() -> Option<RwLockUpgradableReadGuard<'_, T>>;
        try_upgradable_read_for(timeout: Duration) -> Option<RwLockUpgradableReadGuard<'_, T>>;
        try_upgradable_read_until(timeout: Instant) -> Option<RwLockUpgradableReadGuard<'_, T>>;
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
    pub fn is_locked_exclusive(&self) -> bool {
        self.inner.is_locked_exclusive()
    }

    /// As the original's.
    pub fn data_ptr(&self) -> *mut T {
        self.inner.data_ptr()
    }

    pub(crate) fn raw_(&self) -> &RawRwLock {
        // SAFETY: nobody here unlocks it.
        #[expect(unsafe_code, reason = "to get at the tag")]
        unsafe {
            self.inner.raw()
        }
    }
}

impl<T> From<T> for RwLock<T> {
    #[track_caller]
    fn from(t: T) -> RwLock<T> {
        RwLock::new(t)
    }
}

impl<T: Default> Default for RwLock<T> {
    #[track_caller]
    fn default() -> RwLock<T> {
        RwLock::new(T::default())
    }
}

/// Takes the lock if it can, as the original's does, and says so.
impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.offer();
        while_at(self.raw_().tag.created(), || self.inner.fmt(f))
    }
}
