//! Threads: `std::thread`, observable.

#[cfg(not(commute))]
pub use std::thread::*;

mod interchangeable;
#[cfg(commute)]
mod local;
#[cfg(commute)]
mod park;
#[cfg(commute)]
mod pause;
#[cfg(commute)]
mod scope;
#[cfg(commute)]
mod spawn;

pub use self::interchangeable::{Interchangeable, interchangeable};

#[cfg(commute)]
pub use std::thread::{AccessError, Result, ThreadId, available_parallelism};

#[cfg(commute)]
#[expect(deprecated, reason = "std's name for it")]
pub use self::pause::sleep_ms;

#[cfg(commute)]
#[expect(deprecated, reason = "std's name for it")]
pub use self::park::park_timeout_ms;

#[cfg(commute)]
pub use self::{
    local::LocalKey,
    park::{Thread, current, park, park_timeout},
    pause::{panicking, sleep, yield_now},
    scope::{Scope, ScopedJoinHandle, scope},
    spawn::{Builder, JoinHandle, spawn},
};
