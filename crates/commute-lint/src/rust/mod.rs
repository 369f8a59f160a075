//! The Rust front end: MIR to [`crate::ir`].

pub mod mir;
