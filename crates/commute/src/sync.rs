//! Synchronisation: `std::sync`, observable.

#[cfg(not(commute))]
pub use std::sync::*;
