//! Which events an action comes after in every execution, by the `orders` of its type.

use commute_model::ThreadId;
use commute_spec::Specification;
use smallvec::SmallVec;

use super::cone::{Cones, Stamp};
use crate::order::Knowledge;

/// Events that come first, of each thread the last.
#[derive(Clone, Debug, Default)]
pub(super) struct Requirements(pub(super) SmallVec<[Requirement; 1]>);

/// An event that comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requirement {
    pub(super) stamp: Stamp,
    index: u64,
}

/// Collects what an action requires.
pub(super) struct Required<'a> {
    cones: &'a mut Cones,
    /// The index of the action.
    index: u64,
    /// Whether the action requires anything. If not, later ones may still require it.
    applies: bool,
    /// The indices of the events that it comes after.
    pub(super) after: SmallVec<[u64; 2]>,
}

impl<'a> Required<'a> {
    /// Of the action with this index, which may require nothing.
    pub(super) fn new(cones: &'a mut Cones, index: u64, applies: bool) -> Required<'a> {
        Required {
            cones,
            index,
            applies,
            after: SmallVec::new(),
        }
    }
}

impl Knowledge for Required<'_> {
    type Known = Requirements;

    fn learn(&mut self, t: ThreadId, known: &Requirements) {
        let others = known
            .0
            .iter()
            .filter(|required| required.stamp.thread != t.0);
        for required in others.filter(|_| self.applies) {
            self.cones.learn(t.0, &required.stamp);
            self.after.push(required.index);
        }
    }

    fn publish(&mut self, t: ThreadId, known: &mut Requirements) {
        let own = Requirement {
            stamp: self.cones.stamp(t.0),
            index: self.index,
        };
        match { known.0.iter_mut() }.find(|required| required.stamp.thread == t.0) {
            Some(required) => *required = own,
            None => known.0.push(own),
        }
    }

    /// Actions on an atomic need not stay in the order in which they happened.
    fn replace(&mut self, _: ThreadId, _: &mut Requirements) {}

    fn keep_order(&mut self, t: ThreadId, known: &Requirements) {
        self.learn(t, known);
    }

    fn counts(&self) -> bool {
        true
    }

    fn mark(&mut self, t: ThreadId, known: &mut Requirements) {
        self.publish(t, known);
    }
}

/// Whether a rule of the type is about actions with an order-only conflict: what the later
/// one noticed is no outcome for `--lax`.
pub(super) fn has_order_only_rule(specification: &Specification) -> bool {
    specification.rules().any(|rule| {
        let mut before = rule.before.iter();
        before.any(|a| {
            let mut after = rule.after.iter();
            after.any(|b| specification.pair(a.method, b.method).0.order)
        })
    })
}
