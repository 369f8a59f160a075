//! Guards that own an `Arc` of their lock. They are those of lock_api, which has the
//! lock that is inside of ours.

use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::parking_lot::lock_api;

use super::thread_id::RawThreadId;
use lock_api::{
    ArcMutexGuard, ArcReentrantMutexGuard, ArcRwLockReadGuard, ArcRwLockUpgradableReadGuard,
    ArcRwLockWriteGuard,
};

use super::mutex::{FairMutex, Mutex};
use super::place::while_at;
use super::raw_mutex::{RawFairMutex, RawMutex};
use super::raw_rwlock::RawRwLock;
use super::reentrant::ReentrantMutex;
use super::rwlock::RwLock;

/// Methods of `Arc`s of `$Lock`, which is laid out as `$Inner`.
macro_rules! arc_guards {
    ($Lock:ident => $Inner:ty;
     $($method:ident($($timeout:ident: $Time:ty)?) -> $Guard:ty;)*) => {
        impl<T: ?Sized> $Lock<T> {
            fn inner_arc(self: &Arc<Self>) -> Arc<$Inner> {
                let pointer = Arc::into_raw(Arc::clone(self));
                // SAFETY: from `into_raw`, and `repr(transparent)` says that it points
                // to the same as what is inside.
                #[expect(unsafe_code, reason = "an `Arc` cannot be mapped")]
                unsafe {
                    Arc::from_raw(pointer as *const $Inner)
                }
            }

            $(/// As the original's. An attempt that fails is no event.
            #[track_caller]
            pub fn $method(self: &Arc<Self> $(, $timeout: $Time)?) -> $Guard {
                self.offer();
                let inner = self.inner_arc();
                let guard = while_at(Location::caller(), || inner.$method($($timeout)?));
                self.offered(&guard);
                guard
            })*
        }
    };
}

arc_guards! {
    Mutex => lock_api::Mutex<RawMutex, T>;
    lock_arc() -> ArcMutexGuard<RawMutex, T>;
    try_lock_arc() -> Option<ArcMutexGuard<RawMutex, T>>;
    try_lock_arc_for(timeout: Duration) -> Option<ArcMutexGuard<RawMutex, T>>;
    try_lock_arc_until(timeout: Instant) -> Option<ArcMutexGuard<RawMutex, T>>;
}

arc_guards! {
    FairMutex => lock_api::Mutex<RawFairMutex, T>;
    lock_arc() -> ArcMutexGuard<RawFairMutex, T>;
    try_lock_arc() -> Option<ArcMutexGuard<RawFairMutex, T>>;
    try_lock_arc_for(timeout: Duration) -> Option<ArcMutexGuard<RawFairMutex, T>>;
    try_lock_arc_until(timeout: Instant) -> Option<ArcMutexGuard<RawFairMutex, T>>;
}

/// It lends what is inside to be looked at only, so it is no collection for others.
impl<T: ?Sized> ReentrantMutex<T> {
    fn offer(&self) {}

    fn offered<G>(&self, _guard: &G) {}
}

type OfReentrant<T> = ArcReentrantMutexGuard<RawMutex, RawThreadId, T>;

arc_guards! {
    ReentrantMutex => lock_api::ReentrantMutex<RawMutex, RawThreadId, T>;
    lock_arc() -> OfReentrant<T>;
    try_lock_arc() -> Option<OfReentrant<T>>;
    try_lock_arc_for(timeout: Duration) -> Option<OfReentrant<T>>;
    try_lock_arc_until(timeout: Instant) -> Option<OfReentrant<T>>;
}

type Read<T> = ArcRwLockReadGuard<RawRwLock, T>;
type Write<T> = ArcRwLockWriteGuard<RawRwLock, T>;
type Upgradable<T> = ArcRwLockUpgradableReadGuard<RawRwLock, T>;

arc_guards! {
    RwLock => lock_api::RwLock<RawRwLock, T>;
    read_arc() -> Read<T>;
    try_read_arc() -> Option<Read<T>>;
    try_read_arc_for(timeout: Duration) -> Option<Read<T>>;
    try_read_arc_until(timeout: Instant) -> Option<Read<T>>;
    read_arc_recursive() -> Read<T>;
    try_read_recursive_arc() -> Option<Read<T>>;
    try_read_arc_recursive_for(timeout: Duration) -> Option<Read<T>>;
    try_read_arc_recursive_until(timeout: Instant) -> Option<Read<T>>;
    write_arc() -> Write<T>;
    try_write_arc() -> Option<Write<T>>;
    try_write_arc_for(timeout: Duration) -> Option<Write<T>>;
    try_write_arc_until(timeout: Instant) -> Option<Write<T>>;
    upgradable_read_arc() -> Upgradable<T>;
    try_upgradable_read_arc() -> Option<Upgradable<T>>;
    try_upgradable_read_arc_for(timeout: Duration) -> Option<Upgradable<T>>;
    try_upgradable_read_arc_until(timeout: Instant) -> Option<Upgradable<T>>;
}
