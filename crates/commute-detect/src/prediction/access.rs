//! Accesses as they are remembered, and the candidates that they are part of.

use commute_model::{CondvarId, LocationId, LockId, ObjectId, VariableId};

use super::certify::Kind;
use super::cone::Cones;
use super::held::Held;
use crate::locksets::LockSetId;

/// An access as it is remembered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    /// The slot of its thread; of [named](Cones::named) accesses the thread.
    pub(super) thread: u32,
    /// How many events its slot has up to it.
    pub(super) count: u32,
    pub(super) location: LocationId,
    pub(super) held: LockSetId,
    /// Changes when its thread synchronises; if it holds no lock, also when its thread
    /// learns what others did.
    pub(super) epoch: u32,
    /// How many events before it its outermost lock was acquired.
    pub(super) inside: u32,
    /// The index in the trace, and below it the kind.
    packed: u64,
}

/// Kinds of accesses; actions on objects have their own.
pub(super) const READ: u32 = 0;
pub(super) const WRITE: u32 = 1;
pub(super) const FREE: u32 = 2;
pub(super) const WAIT: u32 = 3;
pub(super) const WAKE: u32 = 4;
pub(super) const NOTIFY: u32 = 5;
pub(super) const NOTIFY_ALL: u32 = 6;
pub(super) const ACQUIRE: u32 = 7;
pub(super) const RELEASE: u32 = 8;
pub(super) const READ_ACQUIRE: u32 = 9;
pub(super) const READ_RELEASE: u32 = 10;

/// Bits for the kind of an access.
pub(super) const KIND: u32 = 16;

/// The site of an access that stands for forgotten ones.
pub(super) const FORGOTTEN: LocationId = LocationId(u32::MAX);

/// What the events of a candidate are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Subject {
    Variable(VariableId),
    Lock(LockId),
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

impl Access {
    /// The access by an event.
    #[inline]
    pub(super) fn new(
        (thread, count): (u32, u32),
        (index, location): (u64, LocationId),
        (held, epoch, inside): (LockSetId, u32, u32),
        kind: u32,
    ) -> Access {
        Access {
            thread,
            count,
            location,
            held,
            epoch,
            inside,
            packed: index << KIND | u64::from(kind),
        }
    }

    /// The 1-based position in the trace.
    #[inline]
    pub(super) fn index(&self) -> u64 {
        self.packed >> KIND
    }

    /// What it does. Accesses of different kinds are kept apart.
    #[inline]
    pub(super) fn kind(&self) -> u32 {
        (self.packed & ((1 << KIND) - 1)) as u32
    }

    /// The same access, of another kind.
    pub(super) fn with_kind(mut self, kind: u32) -> Access {
        self.packed = self.index() << KIND | u64::from(kind);
        self
    }

    /// Whether it stands for accesses that were forgotten.
    #[inline]
    pub(super) fn is_forgotten(&self) -> bool {
        self.location == FORGOTTEN
    }

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
