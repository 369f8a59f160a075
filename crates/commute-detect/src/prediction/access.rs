//! What is remembered of accesses, so that later ones can be paired with them.

use std::ops::DerefMut;

use commute_model::{CondvarId, LocationId, ObjectId, VariableId};
use smallvec::SmallVec;

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
    /// Changes when its thread synchronises.
    pub(super) epoch: u32,
    /// How many events before it its outermost lock was acquired.
    pub(super) inside: u32,
    /// What it does. Accesses of different kinds are kept apart.
    pub(super) kind: u32,
}

/// Accesses of one kind by one thread that are kept.
const MOST: usize = 4;

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
/// those in one epoch the first, which needs the fewest others, and the last,
/// which the fewest others need.
#[inline]
pub(super) fn record<T: Kept>(kept: &mut impl List<T>, new: T) {
    let (mut count, mut in_epoch, mut oldest, mut newest) = (0, 0, 0, 0);
    for i in 0..kept.len() {
        if !kept[i].is_like(&new) {
            continue;
        }
        let index = |i: usize| kept[i].access().index;
        if count == 0 || index(i) < index(oldest) {
            oldest = i;
        }
        if count == 0 || index(i) > index(newest) {
            newest = i;
        }
        count += 1;
        in_epoch += u32::from(kept[i].access().epoch == new.access().epoch);
    }
    if in_epoch >= 2 {
        kept[newest] = new;
    } else if count < MOST {
        kept.push(new);
    } else {
        kept[oldest] = new;
    }
}

/// What is kept of accesses.
pub(super) trait Kept {
    /// The access.
    fn access(&self) -> &Access;

    /// Whether the other is by the same thread, and of the same kind.
    fn is_like(&self, other: &Self) -> bool {
        let (a, b) = (self.access(), other.access());
        a.thread == b.thread && a.kind == b.kind
    }
}

impl Kept for Access {
    fn access(&self) -> &Access {
        self
    }
}

/// What `Vec` and `SmallVec` have in common.
pub(super) trait List<T>: DerefMut<Target = [T]> {
    fn push(&mut self, new: T);
}

impl<T> List<T> for Vec<T> {
    fn push(&mut self, new: T) {
        Vec::push(self, new);
    }
}

impl<T> List<T> for SmallVec<[T; 2]> {
    fn push(&mut self, new: T) {
        SmallVec::push(self, new);
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
