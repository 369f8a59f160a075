//! Findings that are kept: where, what, and what can be done with them.

mod again;
mod baseline;
mod compared;
mod kept;
mod merged;
mod parts;
mod printed;
#[cfg(unix)]
mod programs;
mod project;
