//! Synchronisation: `std::sync`, observable.
//!
//! `Arc` and `Weak` are always std's: their receivers and coercions
//! (`self: Arc<Self>`, `Arc<dyn Trait>`) are not for other types to have.

#[cfg(not(commute))]
pub use std::sync::*;

#[cfg(commute)]
pub mod atomic;
#[cfg(commute)]
pub mod mpsc;

#[cfg(commute)]
mod barrier;
#[cfg(commute)]
mod condvar;
#[cfg(commute)]
pub(crate) mod held;
#[cfg(commute)]
mod initialised;
#[cfg(commute)]
mod lazy_lock;
#[cfg(commute)]
mod mutex;
#[cfg(commute)]
mod once;
#[cfg(commute)]
mod once_lock;
#[cfg(commute)]
mod poison;
#[cfg(commute)]
mod rwlock;
#[cfg(commute)]
mod tally;

#[cfg(commute)]
pub use std::sync::{Arc, LockResult, OnceState, PoisonError, TryLockError, TryLockResult, Weak};

#[cfg(commute)]
#[expect(deprecated, reason = "std's name for it")]
pub use self::once::ONCE_INIT;

#[cfg(commute)]
pub use self::{
    barrier::{Barrier, BarrierWaitResult},
    condvar::{Condvar, WaitTimeoutResult},
    lazy_lock::LazyLock,
    mutex::{Mutex, MutexGuard},
    once::Once,
    once_lock::OnceLock,
    rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard},
};
