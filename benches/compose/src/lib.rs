//! How fast methods are found not to be atomic, next to random tests of the same methods:
//!
//! ```text
//! RUSTFLAGS="--cfg commute" cargo bench -p commute-compose-bench
//! RUSTFLAGS="--cfg commute" cargo bench -p commute-compose-bench -- --seconds 5 "figure 2a"
//! ```
//!
//! The second one gives each random test five seconds, and takes only methods with such a
//! name.
