//! Sets of locks, as small numbers.
//!
//! Every access remembers which locks its thread held, so that a report can
//! say which lock is missing where. Few different sets occur in a program, so
//! each is kept once and an access carries its number.

use commute_model::LockId;
use rustc_hash::FxHashMap;

/// The number of a set of locks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LockSetId(u32);

impl LockSetId {
    /// The empty set.
    pub const EMPTY: LockSetId = LockSetId(0);
    /// A set that is not known, because there were too many different ones.
    pub const UNKNOWN: LockSetId = LockSetId(1);

    /// The number.
    #[inline]
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// More different sets than this are not told apart: a report is then less
/// helpful, never wrong.
const MOST_SETS: usize = 1 << 16;
/// A set with more locks than this is not kept.
const MOST_LOCKS: usize = 64;

/// All sets of locks that occurred. A set is a sorted list in which a lock
/// held twice (reentrantly) occurs twice.
#[derive(Clone, Debug)]
pub struct LockSets {
    sets: Vec<Box<[LockId]>>,
    numbers: FxHashMap<Box<[LockId]>, LockSetId>,
    with: FxHashMap<(LockSetId, LockId), LockSetId>,
    without: FxHashMap<(LockSetId, LockId), LockSetId>,
}

impl Default for LockSets {
    fn default() -> LockSets {
        LockSets {
            sets: vec![Box::default(), Box::default()],
            numbers: FxHashMap::from_iter([(Box::default(), LockSetId::EMPTY)]),
            with: FxHashMap::default(),
            without: FxHashMap::default(),
        }
    }
}

impl LockSets {
    /// The set with one more lock.
    #[inline]
    pub fn with(&mut self, set: LockSetId, lock: LockId) -> LockSetId {
        match self.with.get(&(set, lock)) {
            Some(&known) => known,
            None => {
                let mut locks = self.sets[set.0 as usize].to_vec();
                let place = locks.partition_point(|&l| l <= lock);
                locks.insert(place, lock);
                let id = self.number(set, locks);
                self.with.insert((set, lock), id);
                id
            }
        }
    }

    /// The set with one lock less; the same set if the lock is not in it.
    #[inline]
    pub fn without(&mut self, set: LockSetId, lock: LockId) -> LockSetId {
        match self.without.get(&(set, lock)) {
            Some(&known) => known,
            None => {
                let mut locks = self.sets[set.0 as usize].to_vec();
                if let Ok(place) = locks.binary_search(&lock) {
                    locks.remove(place);
                }
                let id = self.number(set, locks);
                self.without.insert((set, lock), id);
                id
            }
        }
    }

    /// The locks of a set, each once; `None` if the set is not known.
    pub fn locks(&self, set: LockSetId) -> Option<Vec<LockId>> {
        if set == LockSetId::UNKNOWN {
            return None;
        }
        let mut locks = self.sets[set.0 as usize].to_vec();
        locks.dedup();
        Some(locks)
    }

    fn number(&mut self, from: LockSetId, locks: Vec<LockId>) -> LockSetId {
        if from == LockSetId::UNKNOWN || locks.len() > MOST_LOCKS {
            return LockSetId::UNKNOWN;
        }
        let locks = locks.into_boxed_slice();
        if let Some(&known) = self.numbers.get(&locks) {
            return known;
        }
        if self.sets.len() >= MOST_SETS {
            return LockSetId::UNKNOWN;
        }
        let id = LockSetId(self.sets.len() as u32);
        self.sets.push(locks.clone());
        self.numbers.insert(locks, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_held_twice_is_held_until_released_twice() {
        let mut sets = LockSets::default();
        let m = LockId(7);
        let once = sets.with(LockSetId::EMPTY, m);
        let twice = sets.with(once, m);
        assert_ne!(once, twice);
        assert_eq!(sets.locks(twice), Some(vec![m]));
        let back = sets.without(twice, m);
        assert_eq!(back, once);
        assert_eq!(sets.without(back, m), LockSetId::EMPTY);
        assert_eq!(sets.without(LockSetId::EMPTY, m), LockSetId::EMPTY);
    }

    #[test]
    fn the_order_of_acquisition_does_not_matter() {
        let mut sets = LockSets::default();
        let (a, b) = (LockId(1), LockId(2));
        let ab = sets.with(LockSetId::EMPTY, a);
        let ab = sets.with(ab, b);
        let ba = sets.with(LockSetId::EMPTY, b);
        let ba = sets.with(ba, a);
        assert_eq!(ab, ba);
    }

    #[test]
    fn too_many_locks_are_unknown_and_stay_so() {
        let mut sets = LockSets::default();
        let many = (0..100).fold(LockSetId::EMPTY, |set, i| sets.with(set, LockId(i)));
        assert_eq!(many, LockSetId::UNKNOWN);
        assert_eq!(sets.without(many, LockId(3)), LockSetId::UNKNOWN);
        assert_eq!(sets.locks(many), None);
    }
}
