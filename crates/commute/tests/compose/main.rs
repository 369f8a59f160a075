//! Methods that are atomic, and methods that are not.
#![cfg(all(commute, feature = "dashmap", feature = "parking_lot"))]

mod alike;
mod caches;
mod counters;
mod effects;
mod expect;
mod figures;
#[cfg(feature = "crossbeam")]
mod found;
mod indexes;
mod memoised;
mod misuse;
mod open;
#[cfg(feature = "papaya")]
mod open_papaya;
mod open_parking_lot;
#[cfg(feature = "scc")]
mod open_scc;
#[cfg(feature = "crossbeam")]
mod open_skiplist;
mod overlaps;
mod pools;
mod published;
mod random;
mod registries;
mod sessions;
