//! Rules that count: with k permits, the j-th `acquire` comes after the (j - k)-th
//! `release`. An action that takes no permit counts as the next that does.

use std::collections::VecDeque;

use commute_model::ThreadId;

use super::Knowledge;

/// A rule that counts, without shared variables.
#[derive(Clone, Debug)]
pub(super) struct Counter<K> {
    /// How many actions need no other: as many as are known, or as the trace so far needs.
    initial: u64,
    known: Known,
    /// How many actions have taken a permit.
    taken: u64,
    /// Published actions that no later action has claimed.
    unclaimed: VecDeque<K>,
    /// The last that was claimed.
    claimed: K,
    is_late: bool,
}

/// Where the initial count is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// The trace records it.
    Recorded(u64),
    /// It is in the rule.
    Constant(u64),
    /// It is inferred.
    No,
}

impl<K: Clone + Default + std::fmt::Debug> Counter<K> {
    /// `inferred` is the least count that makes the whole trace possible, if that was
    /// found out.
    pub(super) fn new(known: Known, inferred: Option<u64>) -> Counter<K> {
        let least = match known {
            Known::Recorded(count) | Known::Constant(count) => count,
            Known::No => 0,
        };
        Counter {
            initial: least.max(inferred.unwrap_or(0)),
            known,
            taken: 0,
            unclaimed: VecDeque::new(),
            claimed: K::default(),
            is_late: false,
        }
    }

    pub(super) fn before(&mut self, t: ThreadId, hb: &mut impl Knowledge<Known = K>) {
        let mut known = K::default();
        hb.publish(t, &mut known);
        self.unclaimed.push_back(known);
    }

    /// `takes`: whether the action counts.
    pub(super) fn after(&mut self, t: ThreadId, takes: bool, hb: &mut impl Knowledge<Known = K>) {
        if matches!(self.known, Known::Recorded(_)) && hb.counts() {
            return;
        }
        let number = self.taken + 1;
        if takes {
            self.taken = number;
        }
        if number <= self.initial {
            return;
        }
        if self.unclaimed.is_empty() {
            // There was one more at first than was known.
            self.initial += 1;
            if number <= self.initial {
                return;
            }
            self.is_late = true;
            let last = std::mem::take(&mut self.claimed);
            self.unclaimed.push_back(last);
        }
        hb.learn(t, &self.unclaimed[0]);
        if takes && let Some(known) = self.unclaimed.pop_front() {
            self.claimed = known;
        }
    }
}

impl<K> Counter<K> {
    /// The least initial count that makes the trace so far possible.
    pub(super) fn initial(&self) -> u64 {
        self.initial
    }

    /// Whether another initial count than the one that is used is possible.
    pub(super) fn is_inferred(&self) -> bool {
        match self.known {
            Known::Recorded(count) | Known::Constant(count) => self.initial > count,
            Known::No => true,
        }
    }

    /// Whether an action came after another because the initial count was taken for less
    /// than it is.
    pub(super) fn is_late(&self) -> bool {
        self.is_late
    }

    pub(super) fn for_each(&mut self, show: &mut dyn FnMut(&mut K)) {
        let unclaimed = self.unclaimed.iter_mut();
        unclaimed.chain([&mut self.claimed]).for_each(show);
    }
}
