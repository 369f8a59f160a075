//! Methods that are atomic, and methods that are not.
#![cfg(all(commute, feature = "dashmap"))]

mod counters;
mod expect;
mod figures;
mod pools;
mod sessions;
