//! Commutativity specifications.
//!
//! A specification says, for every two methods of a type, when two invocations
//! commute. This crate holds the language ([`parse`]), the meaning
//! ([`Specification`]), the translation of conditions into access points
//! ([`AccessPoints`]), sequential models of the shipped types ([`models`]) and
//! the check of a specification against its model ([`verify()`]).

mod classify;
mod display;
mod evaluate;
mod explain;
mod format;
mod formula;
mod invocation;
mod library;
mod logic;
pub mod models;
mod opaque;
mod orders;
mod parse;
mod points;
#[cfg(test)]
mod random;
pub mod replay;
pub mod shipped;
mod specification;
pub mod states;
mod suggest;
mod variables;
pub mod verify;

pub use classify::{Class, Classification, classify};
pub use evaluate::{Interpretation, Ints, evaluate};
pub use format::{format, format_file};
pub use formula::{Arithmetic, Comparison, Formula, Function, Side, Term};
pub use invocation::{BindError, Invocation};
pub use library::{CompiledSpecification, Library, type_argument};
pub use orders::{ActionPattern, InitialCount, Key, Matching, OrderRule, Orders};
pub use parse::{Parsed, parse};
pub use points::{AccessPoints, MayKey, MethodPoints, PointClass, Touch, Touched};
pub use specification::{Condition, Method, Mutates, Specification};
pub use suggest::closest;
pub use variables::Variables;
pub use verify::verify;
