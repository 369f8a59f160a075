//! How fast tests are explored, next to loom and shuttle on the same programs:
//!
//! ```text
//! RUSTFLAGS="--cfg commute" cargo bench -p commute-explore-bench
//! ```
