//! `std::sync`, with the types of `commute`.

pub use ::std::sync::*;

pub mod atomic;
pub mod mpsc;

#[expect(deprecated, reason = "std's name for it")]
pub use commute::sync::ONCE_INIT;
pub use commute::sync::{
    Barrier, BarrierWaitResult, Condvar, LazyLock, Mutex, MutexGuard, Once, OnceLock, OnceState,
    RwLock, RwLockReadGuard, RwLockWriteGuard, WaitTimeoutResult,
};
