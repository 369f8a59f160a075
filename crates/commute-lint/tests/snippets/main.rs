//! Programs in `rust/suppressions` and `rust/options`: what is held back, and
//! what the options are for.

mod compiler;
mod options;
mod snippet;
mod suppressions;
mod titles;
