//! The objects of the workloads. Each method holds a lock from beginning to end, so it is
//! one step for all others; the specification says which steps commute.

mod counter;
mod deque;
mod driver;
mod hashtable;
pub mod programs;
mod set;
mod union_find;

pub use counter::Counter;
pub use deque::Deque;
pub use driver::{Driver, DriverState};
pub use hashtable::Hashtable;
pub use set::Set;
pub use union_find::UnionFind;
