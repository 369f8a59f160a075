//! Synchronisation: `std::sync`, observable.
//!
//! `Arc` and `Weak` are always std's: their receivers and coercions
//! (`self: Arc<Self>`, `Arc<dyn Trait>`) are not for other types to have.

#[cfg(not(commute))]
pub use std::sync::*;

#[cfg(commute)]
mod condvar;
#[cfg(commute)]
mod held;
#[cfg(commute)]
mod mutex;
#[cfg(commute)]
mod poison;
#[cfg(commute)]
mod rwlock;

#[cfg(commute)]
pub use std::sync::{Arc, LockResult, OnceState, PoisonError, TryLockError, TryLockResult, Weak};

#[cfg(commute)]
pub(crate) use self::held::{Held, How};
#[cfg(commute)]
pub use self::{
    condvar::{Condvar, WaitTimeoutResult},
    mutex::{Mutex, MutexGuard},
    rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard},
};
