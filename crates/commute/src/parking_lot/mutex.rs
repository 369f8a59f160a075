//! Mutexes.

use std::fmt;
use std::time::{Duration, Instant};

use ::parking_lot::lock_api;

use super::place::while_at;
use super::raw_mutex::{RawFairMutex, RawMutex};

/// As [`parking_lot::MutexGuard`](::parking_lot::MutexGuard).
pub type MutexGuard<'a, T> = lock_api::MutexGuard<'a, RawMutex, T>;

/// As [`parking_lot::MappedMutexGuard`](::parking_lot::MappedMutexGuard).
pub type MappedMutexGuard<'a, T> = lock_api::MappedMutexGuard<'a, RawMutex, T>;

/// As [`parking_lot::FairMutexGuard`](::parking_lot::FairMutexGuard).
pub type FairMutexGuard<'a, T> = lock_api::MutexGuard<'a, RawFairMutex, T>;

/// As [`parking_lot::MappedFairMutexGuard`](::parking_lot::MappedFairMutexGuard).
pub type MappedFairMutexGuard<'a, T> = lock_api::MappedMutexGuard<'a, RawFairMutex, T>;

/// A type of its own around lock_api's, which would not know where it was made.
macro_rules! mutex {
    ($Mutex:ident, $Guard:ident, $Raw:ident, $const_new:ident) => {
        #[doc = concat!("As [`parking_lot::", stringify!($Mutex), "`](::parking_lot::", stringify!($Mutex), ").")]
        #[repr(transparent)]
        pub struct $Mutex<T: ?Sized> {
            inner: lock_api::Mutex<$Raw, T>,
        }

        #[doc = concat!("As [`parking_lot::", stringify!($const_new), "`](::parking_lot::", stringify!($const_new), ").")]
        #[track_caller]
        pub const fn $const_new<T>(val: T) -> $Mutex<T> {
            $Mutex::new(val)
        }

        impl<T> $Mutex<T> {
            /// As the original's.
            #[track_caller]
            #[inline]
            pub const fn new(val: T) -> $Mutex<T> {
                let inner = lock_api::Mutex::from_raw($Raw::new(), val);
                $Mutex { inner }
            }

            /// As the original's.
            #[inline]
            pub fn into_inner(self) -> T {
                self.inner.into_inner()
            }
        }

        impl<T: ?Sized> $Mutex<T> {
            /// As the original's.
            #[track_caller]
            #[inline]
            pub fn lock(&self) -> $Guard<'_, T> {
                self.offer();
                let guard = self.inner.lock();
                self.offered(&guard);
                guard
            }

            /// As the original's. An attempt that fails is no event.
            #[track_caller]
            #[inline]
            pub fn try_lock(&self) -> Option<$Guard<'_, T>> {
                self.offer();
                let guard = self.inner.try_lock();
                self.offered(&guard);
                guard
            }

            /// As the original's. An attempt that fails is no event.
            #[track_caller]
            #[inline]
            pub fn try_lock_for(&self, timeout: Duration) -> Option<$Guard<'_, T>> {
                self.offer();
                let guard = self.inner.try_lock_for(timeout);
                self.offered(&guard);
                guard
            }

            /// As the original's. An attempt that fails is no event.
            #[track_caller]
            #[inline]
            pub fn try_lock_until(&self, timeout: Instant) -> Option<$Guard<'_, T>> {
                self.offer();
                let guard = self.inner.try_lock_until(timeout);
                self.offered(&guard);
                guard
            }

            /// As the original's.
            #[inline]
            pub fn get_mut(&mut self) -> &mut T {
                self.inner.get_mut()
            }

            /// As the original's.
            #[inline]
            pub fn is_locked(&self) -> bool {
                self.inner.is_locked()
            }

            /// As the original's.
            #[inline]
            pub fn data_ptr(&self) -> *mut T {
                self.inner.data_ptr()
            }

            /// As the original's.
            ///
            /// # Safety
            ///
            /// This thread must hold the lock, through a guard that was forgotten.
            #[expect(unsafe_code, reason = "as the original's")]
            pub unsafe fn force_unlock(&self) {
                // SAFETY: the caller's promise.
                unsafe { self.inner.force_unlock() };
            }

            /// As the original's.
            ///
            /// # Safety
            ///
            /// The caller must not unlock what others have locked.
            #[expect(unsafe_code, reason = "as the original's")]
            pub unsafe fn raw(&self) -> &$Raw {
                self.raw_()
            }

            pub(crate) fn raw_(&self) -> &$Raw {
                // SAFETY: nobody here unlocks it.
                #[expect(unsafe_code, reason = "to get at the tag")]
                unsafe {
                    self.inner.raw()
                }
            }
        }

        impl<T> From<T> for $Mutex<T> {
            #[track_caller]
            fn from(t: T) -> $Mutex<T> {
                $Mutex::new(t)
            }
        }

        impl<T: Default> Default for $Mutex<T> {
            #[track_caller]
            fn default() -> $Mutex<T> {
                $Mutex::new(T::default())
            }
        }

        /// Takes the lock if it is free, as the original's does, and says so.
        impl<T: ?Sized + fmt::Debug> fmt::Debug for $Mutex<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.offer();
                while_at(self.raw_().tag.created(), || self.inner.fmt(f))
            }
        }
    };
}

mutex!(Mutex, MutexGuard, RawMutex, const_mutex);
mutex!(FairMutex, FairMutexGuard, RawFairMutex, const_fair_mutex);
