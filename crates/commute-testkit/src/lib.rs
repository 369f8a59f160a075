//! Shared code of Commute's own tests: random traces, oracles written from the
//! definitions, the figures of the papers, tools that need not be installed.
//! Never published.

pub mod figures;
pub mod fuzz;
pub mod oracle;
pub mod random;
pub mod tools;
pub mod traces;
