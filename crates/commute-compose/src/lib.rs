//! Whether a method that uses other objects is atomic: whether it always does what it
//! would have done at one moment.
//!
//! [`linearize`] looks for an order of calls that explains what they returned.

pub mod linearize;
