//! Methods against whatever else may be called meanwhile.

pub(crate) mod domain;

pub use commute_macros::Domain;
pub use domain::Domain;
