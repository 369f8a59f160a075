//! `std::thread`, with the types of `commute`.

pub use ::std::thread::*;

#[expect(deprecated, reason = "std's name for it")]
pub use commute::thread::park_timeout_ms;
pub use commute::thread::{
    Builder, JoinHandle, Scope, ScopedJoinHandle, Thread, current, park, park_timeout, scope, spawn,
};
