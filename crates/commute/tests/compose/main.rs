//! Methods that are atomic, and methods that are not.
#![cfg(all(commute, feature = "dashmap", feature = "parking_lot"))]

mod caches;
mod counters;
mod expect;
mod alike;
mod figures;
#[cfg(feature = "crossbeam")]
mod found;
mod indexes;
mod memoised;
mod misuse;
mod pools;
mod published;
mod registries;
mod sessions;
mod random;
