//! Which locks a thread holds, and which accesses they keep apart.

use commute_model::LockId;
use rustc_hash::FxHashMap;

use crate::locksets::{LockSetId, LockSets};

/// The sets of locks that occur. A shared hold is another element than an
/// exclusive one: two shared ones keep nothing apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    sets: LockSets,
    exclude: FxHashMap<(LockSetId, LockSetId), bool>,
    in_all: FxHashMap<(LockSetId, LockSetId), LockSetId>,
}

fn element(lock: LockId, shared: bool) -> LockId {
    LockId(lock.0 << 1 | u32::from(shared))
}

impl Held {
    pub(super) fn with(&mut self, set: LockSetId, lock: LockId, shared: bool) -> LockSetId {
        self.sets.with(set, element(lock, shared))
    }

    pub(super) fn without(&mut self, set: LockSetId, lock: LockId, shared: bool) -> LockSetId {
        self.sets.without(set, element(lock, shared))
    }

    /// How often a lock is held exclusively; once or not at all if that is not
    /// known.
    pub(super) fn levels(&mut self, mut set: LockSetId, lock: LockId) -> u32 {
        let mut levels = 0;
        loop {
            let less = self.without(set, lock, false);
            if less == set {
                return levels;
            }
            (set, levels) = (less, levels + 1);
        }
    }

    /// Whether two threads cannot hold these at the same time. If it is not
    /// known, they can.
    #[inline]
    pub(super) fn exclude(&mut self, a: LockSetId, b: LockSetId) -> bool {
        if a == LockSetId::EMPTY || b == LockSetId::EMPTY {
            return false;
        }
        if let Some(&known) = self.exclude.get(&(a, b)) {
            return known;
        }
        let locks = |set| self.sets.locks(set).unwrap_or_default();
        let (left, right) = (locks(a), locks(b));
        let apart = |a: &LockId, b: &LockId| a.0 >> 1 == b.0 >> 1 && a.0 & b.0 & 1 == 0;
        let exclude = left.iter().any(|a| right.iter().any(|b| apart(a, b)));
        self.exclude.insert((a, b), exclude);
        exclude
    }

    /// The exclusive locks that are in both sets.
    #[inline]
    pub(super) fn in_all(&mut self, a: LockSetId, b: LockSetId) -> LockSetId {
        if a == LockSetId::EMPTY {
            return a;
        }
        if let Some(&known) = self.in_all.get(&(a, b)) {
            return known;
        }
        let locks = |set| self.sets.locks(set).unwrap_or_default();
        let (left, right) = (locks(a), locks(b));
        let both = left.iter().filter(|l| l.0 & 1 == 0 && right.contains(l));
        let both: Vec<LockId> = both.copied().collect();
        let set = { both.iter() }.fold(LockSetId::EMPTY, |set, &l| self.sets.with(set, l));
        self.in_all.insert((a, b), set);
        set
    }

    /// The locks of a set, each once, and whether shared.
    pub(super) fn locks(&self, set: LockSetId) -> Vec<(LockId, bool)> {
        let locks = self.sets.locks(set).unwrap_or_default();
        locks
            .iter()
            .map(|l| (LockId(l.0 >> 1), l.0 & 1 == 1))
            .collect()
    }
}
