//! Cycles of transactions: what an atomicity violation consists of.

use commute_model::{BlockId, Event, LocationId, Op, ThreadId};

/// An event as a report needs it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Occurrence {
    pub(super) thread: ThreadId,
    pub(super) index: u64,
    pub(super) location: LocationId,
    pub(super) op: Op,
}

impl Occurrence {
    pub(super) fn of(index: u64, event: &Event) -> Occurrence {
        Occurrence {
            thread: event.thread,
            index,
            location: event.location,
            op: event.op.clone(),
        }
    }
}

/// Where an event is in the trace and in the source code.
pub(super) type Position = (u64, LocationId);

/// A transaction of a cycle.
#[derive(Clone, Debug)]
pub(super) struct Transaction {
    pub(super) thread: ThreadId,
    /// The name of its block.
    pub(super) block: Option<BlockId>,
    /// A single event outside any block.
    pub(super) unary: bool,
    pub(super) first: Position,
    /// Its last event; so far, if it has not ended.
    pub(super) last: Position,
    pub(super) ended: bool,
}

/// Why the later of two events comes after the earlier one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum OrderedBy {
    /// They do not commute, or synchronise threads.
    #[default]
    Conflict,
    /// A rule of order of their type.
    Rule,
    /// A rule of order, and an initial state of the object that the trace does not record:
    /// with another one the two may not be ordered.
    InferredState,
}

/// A transaction that comes before another, because of two events.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) earlier: Occurrence,
    pub(super) later: Occurrence,
    pub(super) ordered_by: OrderedBy,
}

impl Edge {
    /// Whether it is about data: that tells more than a lock.
    fn is_data(&self) -> bool {
        let sync = matches!(
            self.earlier.op,
            Op::Release(_) | Op::ReadRelease(_) | Op::Wait(..) | Op::Fork(_)
        );
        !sync && !matches!(self.later.op, Op::Join(_)) && self.earlier.thread != self.later.thread
    }

    /// Whether the edge is there for every initial state of the object.
    fn is_certain(&self) -> bool {
        self.ordered_by != OrderedBy::InferredState
    }

    /// Takes the events of another edge between the same transactions if they
    /// tell more.
    pub(super) fn improve(&mut self, other: &Edge) {
        if (self.is_certain(), self.is_data()) < (other.is_certain(), other.is_data()) {
            self.clone_from(other);
        }
    }
}

/// Transactions that each come before the next, and the last before the first.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    pub(super) transactions: Vec<Transaction>,
    /// From each transaction to the next; the last edge closed the cycle.
    pub(super) edges: Vec<Edge>,
}

impl Cycle {
    /// Whether it is a cycle for every initial state of the objects.
    pub(super) fn is_certain(&self) -> bool {
        self.edges.iter().all(Edge::is_certain)
    }

    /// Where its transactions begin.
    pub(super) fn firsts(&self) -> Vec<u64> {
        self.transactions.iter().map(|t| t.first.0).collect()
    }
}
