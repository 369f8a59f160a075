//! Rules that count: with k permits, the j-th `acquire` comes after the (j - k)-th
//! `release`.

use std::collections::VecDeque;

use commute_model::ThreadId;

use super::Knowledge;

/// A rule that counts, without shared variables.
#[derive(Clone, Debug)]
pub(super) struct Counter<K> {
    /// How many actions need no other, if the trace records it.
    initial: u64,
    after: u64,
    /// Published actions that no later action has claimed.
    unclaimed: VecDeque<K>,
    /// The last that was claimed.
    claimed: K,
    /// Whether the trace records the initial count.
    recorded: bool,
}

impl<K: Clone + Default + std::fmt::Debug> Counter<K> {
    pub(super) fn new(initial: Option<u64>) -> Counter<K> {
        Counter {
            initial: initial.unwrap_or(0),
            after: 0,
            unclaimed: VecDeque::new(),
            claimed: K::default(),
            recorded: false,
        }
    }

    /// A rule that counts from the parameter of the type.
    pub(super) fn of_parameter(argument: Option<u64>) -> Counter<K> {
        Counter {
            recorded: argument.is_some(),
            ..Counter::new(argument)
        }
    }

    pub(super) fn before(&mut self, t: ThreadId, hb: &mut impl Knowledge<Known = K>) {
        let mut known = K::default();
        hb.publish(t, &mut known);
        self.unclaimed.push_back(known);
    }

    /// `takes`: whether the action counts.
    pub(super) fn after(&mut self, t: ThreadId, takes: bool, hb: &mut impl Knowledge<Known = K>) {
        if self.recorded && hb.counts() {
            return;
        }
        if !takes {
            let next = self.unclaimed.front().unwrap_or(&self.claimed);
            hb.learn(t, next);
            return;
        }
        self.after += 1;
        if self.after <= self.initial {
            return;
        }
        // If there is none, there were more at first than was known, and the action comes
        // after the last one.
        if let Some(known) = self.unclaimed.pop_front() {
            self.claimed = known;
        }
        hb.learn(t, &self.claimed);
    }
}

impl<K> Counter<K> {
    pub(super) fn for_each(&mut self, show: &mut dyn FnMut(&mut K)) {
        let unclaimed = self.unclaimed.iter_mut();
        unclaimed.chain([&mut self.claimed]).for_each(show);
    }
}
