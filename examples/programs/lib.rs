//! Small programs with a concurrency bug each, and without it: `NAME.rs` and
//! `NAME_fixed.rs`. Run one with `cargo commute run --example NAME`.
