//! The Rust front end: MIR to [`crate::ir`].

mod atomic;
mod body;
mod calls;
mod instances;
mod library;
mod lower;
pub mod mir;
mod resolve;
mod sources;
mod text;
mod twins;

pub use lower::{CrateInfo, program};
pub use sources::Finder;
