//! Locks that are used in a test that is explored: others may use what is in them, too.

use std::ptr::from_ref;

use ::parking_lot::lock_api::{
    ArcMutexGuard, ArcRwLockReadGuard, ArcRwLockUpgradableReadGuard, ArcRwLockWriteGuard,
    MutexGuard, RawMutex, RawRwLock, RawRwLockUpgrade, RwLockReadGuard, RwLockUpgradableReadGuard,
    RwLockWriteGuard,
};

use super::mutex::{FairMutex, Mutex};
use super::rwlock::RwLock;
use crate::compose::offered;
use crate::explored;

/// A guard, or what came of an attempt to get one.
pub(super) trait Taken<T: ?Sized> {
    /// What is in the lock, if there is a guard.
    fn content(&self) -> Option<&T>;
}

impl<T: ?Sized, G: Taken<T>> Taken<T> for Option<G> {
    fn content(&self) -> Option<&T> {
        self.as_ref()?.content()
    }
}

macro_rules! guards {
    ($($Guard:ident<$($life:lifetime,)? $Raw:ident>;)*) => {
        $(impl<T: ?Sized, R: $Raw> Taken<T> for $Guard<$($life,)? R, T> {
            fn content(&self) -> Option<&T> {
                Some(self)
            }
        })*
    };
}

guards! {
    MutexGuard<'_, RawMutex>;
    RwLockReadGuard<'_, RawRwLock>;
    RwLockWriteGuard<'_, RawRwLock>;
    RwLockUpgradableReadGuard<'_, RawRwLockUpgrade>;
    ArcMutexGuard<RawMutex>;
    ArcRwLockReadGuard<RawRwLock>;
    ArcRwLockWriteGuard<RawRwLock>;
    ArcRwLockUpgradableReadGuard<RawRwLockUpgrade>;
}

macro_rules! offers {
    ($($Lock:ident, $with:ident, $read:ident, $write:ident;)*) => {
        $(impl<T: ?Sized> $Lock<T> {
            /// It is going to be taken.
            #[inline]
            pub(super) fn offer(&self) {
                let tag = &self.raw_().tag;
                if explored::is_on(tag) {
                    offered::lock::<T>(from_ref(self).cast(), tag, $with::<T>);
                }
            }

            /// It was taken, or not.
            #[inline]
            pub(super) fn offered(&self, taken: &impl Taken<T>) {
                let tag = &self.raw_().tag;
                if explored::is_on(tag) && let Some(content) = taken.content() {
                    offered::locked::<T>(tag, content);
                }
            }
        }

        /// Calls `f` with what is in a lock.
        ///
        /// # Safety
        ///
        /// The pointer is to a lock around a `T` that has a size.
        #[expect(unsafe_code, reason = "the type is known to the caller")]
        unsafe fn $with<T: ?Sized>(lock: *const (), writes: bool, f: &mut dyn FnMut(*mut ())) {
            assert_eq!(size_of::<&$Lock<T>>(), size_of::<*const ()>(), "no size");
            // SAFETY: as the caller says; a pointer to what has a size is nothing more.
            let lock: &$Lock<T> = unsafe { std::mem::transmute_copy(&lock) };
            match writes {
                true => f(std::ptr::from_mut(&mut *lock.$write()).cast()),
                false => f(from_ref(&*lock.$read()).cast_mut().cast()),
            }
        })*
    };
}

offers! {
    Mutex, with_mutex, lock, lock;
    FairMutex, with_fair_mutex, lock, lock;
    RwLock, with_rwlock, read, write;
}
