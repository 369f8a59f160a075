//! Commutativity specifications.
//!
//! A specification says, for every two methods of a type, when two invocations
//! commute. This crate holds the language ([`parse`]), the meaning
//! ([`Specification`]), the translation of conditions into access points
//! ([`AccessPoints`]), sequential models of the shipped types ([`models`]) and
//! the check of a specification against its model ([`verify`]).

mod evaluate;
mod formula;
mod invocation;
mod specification;

pub use evaluate::{Interpretation, Ints, evaluate};
pub use formula::{Arithmetic, Comparison, Formula, Function, Side, Term};
pub use invocation::{BindError, Invocation};
pub use specification::{Condition, Method, Mutates, Orders, Specification};
