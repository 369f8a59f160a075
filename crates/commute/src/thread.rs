//! Threads: `std::thread`, observable.

#[cfg(not(commute))]
pub use std::thread::*;
