//! `ArcSwap` and `ArcSwapOption` of the crate `arc-swap`, observable.
//!
//! In a normal build this is `arc_swap` itself. Under `--cfg commute` what is done to
//! them are actions of the specification `atomic`, with the address of what is pointed
//! to for an integer: as for atomics, and unlike a `register`, what a thread did
//! before it stored comes before what another does that loads, and
//! `compare_and_swap` compares addresses too. `None` is 0, as is `Weak::new()`. While they are recorded,
//! operations on one object come one after the other.
//!
//! | operation | recorded as |
//! |---|---|
//! | `load`, `load_full`, `Cache::load` | `load()/p` |
//! | `store` | `store(p)` |
//! | `swap` | `swap(p)/previous` |
//! | `compare_and_swap` | `cas_cur(expected, p)/(bool, found)` |
//! | `rcu` | `cas_cur(found, p)/(true, found)` when it succeeds: attempts that fail are nothing |
//! | `Debug`, `Display`, `into_inner` | nothing |
//!
//! Guards are the original's. With its feature `serde` only the original can be serialised.

#[cfg(not(commute))]
pub use ::arc_swap::*;

#[cfg(commute)]
mod any;
#[cfg(commute)]
pub mod cache;
#[cfg(commute)]
mod projection;

#[cfg(commute)]
pub use self::{
    any::{ArcSwap, ArcSwapAny, ArcSwapOption, ArcSwapWeak, IndependentArcSwap},
    cache::Cache,
};
#[cfg(commute)]
pub use ::arc_swap::{
    AsRaw, DefaultStrategy, Guard, IndependentStrategy, RefCnt, access, strategy,
};
