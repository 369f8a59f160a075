//! Whether a method that uses other objects is atomic: whether it always does what it
//! would have done at one moment.
//!
//! [`attack`] runs a method while an environment does, between its steps, what may
//! disturb it, and compares what was returned with what is returned if nobody interrupts
//! anybody. [`linearize`] looks for an order of calls that explains what they returned.

mod adversary;
mod alone;
mod environment;
mod journal;
pub mod linearize;
mod moves;
mod names;
mod overlap;
mod point;
mod returns;
mod runs;
mod setting;
mod trail;
mod verdict;
mod walk;
mod worlds;

pub use adversary::Enough;
pub use environment::largest;
pub use journal::{Journal, Shared, Written, fresh};
pub use setting::Setting;
pub use verdict::{Attacked, Verdict, Violation, attack};
