//! What is remembered of accesses, so that later ones can be paired with them.

use commute_model::{CondvarId, LocationId, ObjectId, VariableId};

use super::certify::Kind;
use super::cone::Cones;
use super::held::Held;
use crate::locksets::LockSetId;

/// An access as it is remembered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) thread: u32,
    /// How many events its thread has up to it.
    pub(super) count: u32,
    pub(super) index: u64,
    pub(super) location: LocationId,
    pub(super) held: LockSetId,
    /// Changes when its thread synchronises or comes to need more.
    pub(super) epoch: u32,
    /// How many events before it its outermost lock was acquired.
    pub(super) inside: u32,
    /// What it does. Accesses of different kinds are kept apart.
    pub(super) kind: u32,
}

/// Accesses of one kind by one thread that are kept.
const MOST: usize = 3;

/// What the events of a candidate are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Subject {
    Variable(VariableId),
    Condvar(CondvarId),
    Object(ObjectId),
}

/// Two accesses of which something is to be shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) kind: Kind,
    pub(super) subject: Subject,
    pub(super) earlier: Access,
    pub(super) later: Access,
    /// Whether no value flows between the two.
    pub(super) order_only: bool,
}

/// Adds an access to a list. Of one thread and kind the last are kept, and of
/// those in one epoch the last alone: it needs what the others need.
#[inline]
pub(super) fn record(accesses: &mut Vec<Access>, new: Access) {
    let same = |old: &Access| old.thread == new.thread && old.kind == new.kind;
    let (mut count, mut oldest) = (0, 0);
    for i in 0..accesses.len() {
        if !same(&accesses[i]) {
            continue;
        }
        if accesses[i].epoch == new.epoch {
            accesses[i] = new;
            return;
        }
        if count == 0 || accesses[i].index < accesses[oldest].index {
            oldest = i;
        }
        count += 1;
    }
    if count < MOST {
        accesses.push(new);
    } else {
        accesses[oldest] = new;
    }
}

impl Access {
    /// Whether the two could come at the same time, as far as is known so far:
    /// the current event of the later thread does not need the earlier one, and
    /// no lock keeps them apart.
    #[inline]
    pub(super) fn may_race(&self, later: &Access, cones: &Cones, held: &mut Held) -> bool {
        self.thread != later.thread
            && !cones.needs(later.thread, self.thread, self.count)
            && !held.exclude(self.held, later.held)
    }

    /// Whether the later one could come first, as far as is known so far.
    #[inline]
    pub(super) fn may_follow(&self, later: &Access, cones: &Cones) -> bool {
        self.thread != later.thread && !cones.needs(later.thread, self.thread, self.count)
    }
}
