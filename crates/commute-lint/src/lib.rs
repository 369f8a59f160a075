//! Finds stale values and high-level data races in source code, without
//! running it: MoTH (Dias, Pessanha, Lourenço: Precise Detection of Atomicity
//! Violations, HVC 2012), and beyond.

pub mod ir;
pub mod rust;
