//! Stands in for `std`, for code that must not change: all of `std`, with
//! [`commute::sync`] and [`commute::thread`] in place of its own. In a normal build
//! these are std's, too; under `--cfg commute` they tell what they do.
//!
//! A crate that has this line in its manifest is compiled against it, without a
//! change in its source: the prelude, macros, derives and `use std::sync::Mutex`
//! all go through the name `std`.
//!
//! ```toml
//! std = { package = "commute-std", version = "0.1" }
//! ```
//!
//! `commute run --swap std` needs not even that, and includes dependencies.
//!
//! What is not replaced is std's, as are unstable things and those that std will
//! have one day. `core::sync::atomic` is out of reach: its types are not those of
//! `std::sync::atomic` any more, and a crate that takes one for the other does not
//! compile.

pub use ::std::*;

pub use commute::{hint, thread_local};

// Named, they hide what the glob has under the same name.
pub mod sync;
pub mod thread;
