//! What Commute's own tests share: random traces, oracles written from the
//! definitions, the figures of the papers. Never published.

pub mod figures;
pub mod oracle;
pub mod random;
pub mod traces;
