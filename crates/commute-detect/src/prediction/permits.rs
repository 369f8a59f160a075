//! The permits of objects of which the trace records how many they had at first.
//!
//! With k permits, no prefix of an execution has more acquisitions than k and its
//! releases: `#b <= k + #a` for a rule `a -> b counting from k`. An acquisition then needs
//! no release in particular.

use std::collections::VecDeque;

use commute_model::ObjectId;
use commute_spec::{InitialCount, Invocation, Matching, Specification};
use rustc_hash::FxHashMap;

/// A change of the permits of an object by an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PermitChange {
    /// A new object has so many; `None` if that is not recorded.
    New(Option<u64>),
    Acquire,
    Release,
}

impl PermitChange {
    /// The change of the permits of its object by an action.
    pub(super) fn of(
        specification: &Specification,
        action: Invocation<'_>,
    ) -> Option<PermitChange> {
        let counts = Matching::Counting(InitialCount::Parameter);
        let rule = specification.rules().find(|rule| rule.matching == counts)?;
        if rule.after(action).is_some() && specification.takes(action.method) {
            return Some(PermitChange::Acquire);
        }
        rule.before(action).map(|_| PermitChange::Release)
    }
}

/// The permits before the events that are kept, and how these change them.
#[derive(Clone, Debug, Default)]
pub(super) struct Permits {
    before: FxHashMap<ObjectId, i64>,
    /// By the index of the event.
    changes: VecDeque<(u64, ObjectId, PermitChange)>,
}

impl Permits {
    pub(super) fn push(&mut self, index: u64, o: ObjectId, change: PermitChange) {
        self.changes.push_back((index, o, change));
    }

    /// The events up to this one are not kept any more.
    pub(super) fn forget(&mut self, gone: u64) {
        while let Some(&(index, o, change)) = self.changes.front()
            && index <= gone
        {
            apply(&mut self.before, o, change);
            self.changes.pop_front();
        }
    }

    /// The permits after the event with this index.
    pub(super) fn at(&self, index: u64) -> FxHashMap<ObjectId, i64> {
        let mut permits = self.before.clone();
        for &(_, o, change) in self.changes.iter().take_while(|change| change.0 <= index) {
            apply(&mut permits, o, change);
        }
        permits
    }

    /// The change by the event with this index.
    pub(super) fn change(&self, index: u64) -> Option<PermitChange> {
        let found = self.changes.binary_search_by_key(&index, |change| change.0);
        found.ok().map(|place| self.changes[place].2)
    }
}

/// Applies a change to the permits; objects with an unknown number are not there.
pub(super) fn apply(permits: &mut FxHashMap<ObjectId, i64>, o: ObjectId, change: PermitChange) {
    match (change, permits.get_mut(&o)) {
        (PermitChange::New(Some(count)), _) => {
            permits.insert(o, i64::try_from(count).unwrap_or(i64::MAX / 2));
        }
        (PermitChange::New(None), _) => {
            permits.remove(&o);
        }
        (PermitChange::Acquire, Some(count)) => *count -= 1,
        (PermitChange::Release, Some(count)) => *count += 1,
        (_, None) => {}
    }
}
