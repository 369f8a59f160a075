//! What the three algorithms have in common.

use commute_model::{Event, ThreadId};

use super::cycle::Cycle;
use super::touches::{Order, Touches};

/// How atomicity is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Vector clocks, shared.
    #[default]
    AeroDrome,
    /// Vector clocks, as the paper prints them: slow.
    AeroDromeBasic,
    /// The graph of transactions: slower, and knows the cycles.
    Velodrome,
}

/// An algorithm that decides whether transactions can be put in an order.
pub(super) trait Algorithm: Order {
    /// The current event, of thread `t`; everything until the next call is about
    /// it.
    fn event(&mut self, t: u32, index: u64, event: &Event);

    /// The same, if it begins a transaction.
    fn begin(&mut self, t: u32, index: u64, event: &Event);

    /// The current event ends the transaction of `t`.
    fn end(&mut self, t: u32, touches: &mut Touches<Self::Stamp>);

    /// `t` forks `u`, which is another thread.
    fn fork(&mut self, t: u32, u: u32);

    /// `t` joins `u`, which is another thread.
    fn join(&mut self, t: u32, u: u32);

    /// The current event is over.
    fn done(&mut self, _t: u32) {}

    /// From time to time, between two events.
    fn rest(&mut self, _touches: &mut Touches<Self::Stamp>) {}

    /// Whether it has given up: finding more would take too long.
    fn is_exhausted(&self) -> bool {
        false
    }

    /// The violations found since they were last taken.
    fn found(&mut self) -> &mut Vec<Violation>;
}

/// A transaction that cannot be put before or after another.
#[derive(Clone, Debug)]
pub(super) struct Violation {
    /// The thread of the transaction, which is open.
    pub(super) thread: ThreadId,
    /// The thread the transaction both comes before and after.
    pub(super) other: ThreadId,
    /// The transactions that each must come before the next, if they are known.
    pub(super) cycle: Option<Box<Cycle>>,
}

/// One violation, for comparison with an oracle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The index of the event at which it was found.
    pub index: u64,
    /// The thread whose open transaction it is about.
    pub thread: ThreadId,
    /// Found only when open blocks were closed at the end.
    pub at_end: bool,
    /// Of each edge of the cycle the two events, if the algorithm knows them.
    pub cycle: Option<Vec<(u64, u64)>>,
}
