//! What users write against.
//!
//! In a normal build everything here *is* the original: `commute::sync::Mutex` is
//! `std::sync::Mutex`, at no cost. Built with `--cfg commute`, which
//! `cargo commute run`, `record` and `test` set, the same names are types that tell
//! what they do, so that it can be recorded and checked.

#[cfg(feature = "dashmap")]
pub mod dashmap;
#[doc(hidden)]
pub mod hidden;
pub mod sync;
pub mod thread;
mod values;

pub use commute_macros::{atomic, object};
pub use values::{AsValue, Value, values};
