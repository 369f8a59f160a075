//! What `#[derive(Domain)]` calls.

pub use super::Values;
pub use super::nesting::{count, values};
pub use super::product::both;

/// The values that somebody gave by hand.
pub fn given<T: 'static, const N: usize>(values: [T; N]) -> Values<T> {
    Box::new(values.into_iter())
}
