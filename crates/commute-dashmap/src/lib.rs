//! Stands in for `dashmap` 6, for code that must not change: [`commute::dashmap`]
//! under the names of the original. In a normal build that is the original; under
//! `--cfg commute` its maps and sets tell what they do.
//!
//! ```toml
//! dashmap = { package = "commute-dashmap", version = "0.1" }
//! ```
//!
//! `commute run --swap dashmap` needs not even that, and includes dependencies.
//!
//! All features of the original are declared. In a normal build they are passed on.
//! Under `--cfg commute`:
//!
//! | feature | |
//! |---|---|
//! | `inline` | passed on to the original, which is inside |
//! | `raw-api` | always there; what is done to a shard is not recorded |
//! | `rayon`, `serde` | as the original's, and recorded |
//! | `arbitrary`, `typesize` | not offered for `DashMap` and `DashSet`; a `ReadOnlyView`, which is the original's, has them |
//!
//! `--swap` has `raw-api` of these: its stand-in was built apart from the program, with
//! another `serde` than the program has.
//!
//! The trait `Map`, which dashmap does not document, is not offered either.

pub use commute::dashmap::*;
