//! What the three algorithms have in common.

use commute_model::{Event, ThreadId};

use super::cycle::Cycle;
use super::touches::{Order, Touches};
use crate::slots::Slots;

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
    /// The current event, of the thread with the slot `t`; everything until the next call
    /// is about it.
    fn event(&mut self, t: u32, index: u64, event: &Event);

    /// The same, if it begins a transaction.
    fn begin(&mut self, t: u32, index: u64, event: &Event);

    /// The current event ends the transaction of `t`.
    fn end(&mut self, t: u32, touches: &mut Touches<Self::Stamp>);

    /// `t` forks `u`, which is another thread.
    fn fork(&mut self, t: u32, u: u32);

    /// `t` joins `u`, which is another thread.
    fn join(&mut self, t: u32, u: u32);

    /// Whether no thread has had an event.
    fn is_unused(&self) -> bool;

    /// Whether a thread that `t` forks now may continue the slot `u`, of which the last
    /// thread has been joined, by `t` if `is_own`.
    fn is_known(&self, t: u32, u: u32, is_own: bool) -> bool;

    /// A thread that `t` forks takes over the slot `u`, of which `last` is the last thread.
    /// Returns the first time of the new thread.
    fn take_over(&mut self, t: u32, u: u32, last: ThreadId) -> u32;

    /// The thread of this slot has had another one, which was taken over.
    fn resume(&mut self, t: u32, thread: ThreadId);

    /// `t` joins a thread whose slot was taken over.
    fn join_past(&mut self, t: u32, thread: ThreadId);

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
    /// The slot of the thread of the transaction, which is open.
    pub(super) slot: u32,
    /// The thread the transaction both comes before and after.
    pub(super) other: Party,
    /// The transactions that each must come before the next, if they are known.
    pub(super) cycle: Option<Box<Cycle>>,
}

/// A thread that takes part in a violation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Party {
    Thread(ThreadId),
    /// The thread that had a slot at a time.
    User(u32, u32),
}

impl Party {
    /// The thread that has a slot now.
    pub(super) fn current(slot: u32) -> Party {
        Party::User(slot, u32::MAX)
    }

    /// The thread.
    pub(super) fn thread(self, slots: &Slots) -> ThreadId {
        match self {
            Party::Thread(thread) => thread,
            Party::User(slot, time) => slots.user(slot, time),
        }
    }
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
