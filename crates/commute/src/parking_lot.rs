//! The locks of the crate `parking_lot`, observable.
//!
//! In a normal build this is `parking_lot` itself. Under `--cfg commute` the raw
//! locks, from which `lock_api` makes everything else, tell what they do; so all
//! guards, also mapped ones, are those of `lock_api`, as they are in `parking_lot`.
//!
//! | operation | recorded as |
//! |---|---|
//! | `Mutex`, `FairMutex` | `acq` and `rel`, as for [`sync::Mutex`](crate::sync::Mutex) |
//! | `ReentrantMutex` | the outermost `acq` and `rel` of a thread |
//! | `RwLock::read` | `racq` and `rrel` |
//! | `RwLock::write` | `acq` and `rel` of two locks: of the lock, and of the right to upgrade |
//! | `RwLock::upgradable_read` | `acq` of the right to upgrade, `racq` of the lock |
//! | `upgrade`, `downgrade…` | the change of the lock, while the right to upgrade is held: no writer comes in between in any order that can be |
//! | `Condvar` | `wait`, `wake`, `notify`, `notify_all`. Who waits is in a list of our own, because from outside it cannot be known what came first |
//! | `Once` | as for [`sync::Once`](crate::sync::Once) |
//! | attempts that fail, `is_locked` | nothing |
//!
//! `MutexGuard::mutex`, `ArcMutexGuard::mutex` and the like return the lock of `lock_api`
//! that is inside of ours. Of the features of the original:
//!
//! | feature | |
//! |---|---|
//! | `arc_lock` | always there, and recorded |
//! | `send_guard` | guards can be sent, as the original's. A lock whose guard was dropped by another thread than took it is not recorded any more: a trace has no word for that |
//! | `deadlock_detection`, `hardware-lock-elision`, `nightly`, `owning_ref` | as the original's |
//! | `serde` | not there |

#[cfg(not(commute))]
pub use ::parking_lot::*;

#[cfg(commute)]
mod arc_guards;
#[cfg(commute)]
mod condvar;
#[cfg(commute)]
mod holder;
#[cfg(commute)]
mod mutex;
#[cfg(commute)]
mod offered_lock;
#[cfg(commute)]
mod once;
#[cfg(commute)]
mod place;
#[cfg(commute)]
mod raw_mutex;
#[cfg(commute)]
mod raw_rwlock;
#[cfg(commute)]
mod raw_upgrade;
#[cfg(commute)]
mod reentrant;
#[cfg(commute)]
mod rwlock;
#[cfg(commute)]
mod section;
#[cfg(commute)]
mod thread_id;

#[cfg(commute)]
pub use ::parking_lot::{
    ArcMutexGuard, ArcReentrantMutexGuard, ArcRwLockReadGuard, ArcRwLockUpgradableReadGuard,
    ArcRwLockWriteGuard, OnceState, lock_api,
};

#[cfg(commute)]
pub use self::{
    condvar::{Condvar, WaitTimeoutResult},
    mutex::{
        FairMutex, FairMutexGuard, MappedFairMutexGuard, MappedMutexGuard, Mutex, MutexGuard,
        const_fair_mutex, const_mutex,
    },
    once::Once,
    raw_mutex::{RawFairMutex, RawMutex},
    raw_rwlock::RawRwLock,
    reentrant::{
        MappedReentrantMutexGuard, ReentrantMutex, ReentrantMutexGuard, const_reentrant_mutex,
    },
    rwlock::{
        MappedRwLockReadGuard, MappedRwLockWriteGuard, RwLock, RwLockReadGuard,
        RwLockUpgradableReadGuard, RwLockWriteGuard, const_rwlock,
    },
    thread_id::RawThreadId,
};
