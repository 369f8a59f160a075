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
//! | `raw-api` | not offered: what is done to a shard would not be seen |
//! | `rayon`, `serde`, `arbitrary`, `typesize` | not offered for `DashMap` and `DashSet`; a `ReadOnlyView`, which is the original's, has them |
//!
//! The trait `Map`, which dashmap does not document, is not offered either.

pub use commute::dashmap::*;
