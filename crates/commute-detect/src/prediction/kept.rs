//! Lists of the accesses that later ones can be paired with.

use std::ops::DerefMut;

use smallvec::SmallVec;

use super::access::Access;
use crate::locksets::LockSetId;

/// How many accesses of one kind by one thread are kept for a set of locks.
const PLACES: usize = 3;

/// Where in a list the accesses of a thread probably are.
#[inline]
pub(super) fn place_of(thread: u32) -> usize {
    2 * PLACES * thread as usize
}

/// For how many sets of locks the accesses of one kind by one thread are kept.
const MOST_SETS: usize = 8;

/// Adds an access to a list, which is sorted. Of a thread, a kind, a set of locks and a
/// place in the source three are kept: the last, which the fewest others need, and the last
/// two that were their thread's first in an epoch, because those before it in a section
/// could not be left out. Where no lock is held these are the last of each of the last
/// three epochs: what the thread learned in between could not be left out either.
#[inline]
pub(super) fn record<T: Kept>(kept: &mut impl List<T>, new: T) {
    let start = find(kept, &new);
    let same = |place: usize| kept.get(place).is_some_and(|old| old.key() == new.key());
    let locked = new.access().held != LockSetId::EMPTY;
    match (same(start), locked) {
        (false, false) => kept.insert(start, new),
        (true, false) => {
            let last = start + (1..PLACES).take_while(|more| same(start + more)).count();
            if kept[last].access().epoch == new.access().epoch {
                kept[last] = new;
            } else if last + 1 < start + PLACES {
                kept.insert(last + 1, new);
            } else {
                kept.copy_within(start + 1..=last, start);
                kept[last] = new;
            }
        }
        (false, true) => {
            make_place(kept, &new);
            let start = find(kept, &new);
            for _ in 0..PLACES {
                kept.insert(start, new);
            }
        }
        (true, true) => {
            if is_first(kept, start, &new) {
                kept[start] = kept[start + 1];
                kept[start + 1] = new;
            }
            kept[start + 2] = new;
        }
    }
}

/// The accesses of a list, each once: where there are fewer than there are places,
/// one is in several.
#[inline]
pub(super) fn each(kept: &[Access]) -> impl Iterator<Item = &Access> {
    let first = |i: usize| i == 0 || kept[i - 1].index() != kept[i].index();
    { kept.iter().enumerate() }.filter_map(move |(i, access)| first(i).then_some(access))
}

/// Where accesses like `new` begin, or would.
#[inline]
fn find<T: Kept>(kept: &[T], new: &T) -> usize {
    // Where all threads read and write under one lock, each is at its own place;
    // where some do not yet, the others are a little before theirs.
    let key = new.key();
    let last = kept.len().saturating_sub(PLACES);
    let mut place = new.guess().min(last - last % PLACES);
    while let Some(old) = kept.get(place) {
        if old.key() == key && (place == 0 || kept[place - 1].key() != key) {
            return place;
        }
        if place < PLACES || old.key() <= key {
            break;
        }
        place -= PLACES;
    }
    kept.partition_point(|old| old.key() < key)
}

/// Whether its thread has no other access in this epoch.
#[inline]
fn is_first<T: Kept>(kept: &[T], start: usize, new: &T) -> bool {
    let new = new.access();
    let own = |old: &&T| old.access().thread == new.thread;
    let now = |old: &T| old.access().epoch == new.epoch;
    let before = kept[..start].iter().rev().take_while(own);
    let after = kept[start..].iter().take_while(own);
    !{ before }.chain(after).any(now)
}

/// Forgets the accesses under the set of locks that was used longest ago, if
/// there are too many sets.
#[cold]
fn make_place<T: Kept>(kept: &mut impl List<T>, new: &T) {
    if kept.len() < PLACES * MOST_SETS {
        return;
    }
    let like = |old: &T| {
        let (a, b) = (old.key(), new.key());
        (a.0, a.1, a.2) == (b.0, b.1, b.2)
    };
    let first = |i: &usize| *i == 0 || kept[*i - 1].key() != kept[*i].key();
    let sets = (0..kept.len()).filter(|&i| like(&kept[i])).filter(first);
    let sets: Vec<usize> = sets.collect();
    if sets.len() >= MOST_SETS
        && let Some(&oldest) = sets.iter().min_by_key(|&&i| kept[i].access().index())
    {
        let key = kept[oldest].key();
        while kept.get(oldest).is_some_and(|old| old.key() == key) {
            kept.remove(oldest);
        }
    }
}

/// What lists are sorted by: the thread, the class of an access point, the kind,
/// and the locks.
type SortKey = (u32, u16, u32, LockSetId);

/// What is kept of accesses.
pub(super) trait Kept: Copy {
    /// The access.
    fn access(&self) -> &Access;

    /// What lists are sorted by.
    #[inline]
    fn key(&self) -> SortKey {
        let access = self.access();
        (access.thread, 0, access.kind(), access.held)
    }

    /// Where it probably is.
    #[inline]
    fn guess(&self) -> usize {
        let access = self.access();
        place_of(access.thread) + PLACES * access.kind() as usize
    }
}

impl Kept for Access {
    #[inline]
    fn access(&self) -> &Access {
        self
    }
}

/// What `Vec` and `SmallVec` have in common.
pub(super) trait List<T>: DerefMut<Target = [T]> {
    fn insert(&mut self, place: usize, new: T);
    fn remove(&mut self, place: usize);
}

impl<T> List<T> for Vec<T> {
    fn insert(&mut self, place: usize, new: T) {
        Vec::insert(self, place, new);
    }

    fn remove(&mut self, place: usize) {
        Vec::remove(self, place);
    }
}

impl<T> List<T> for SmallVec<[T; 2]> {
    fn insert(&mut self, place: usize, new: T) {
        SmallVec::insert(self, place, new);
    }

    fn remove(&mut self, place: usize) {
        SmallVec::remove(self, place);
    }
}

#[cfg(test)]
mod tests {
    use commute_model::LocationId;

    use super::*;

    fn kept(epochs: &[u32]) -> Vec<u64> {
        let mut sets = crate::locksets::LockSets::default();
        let held = sets.with(LockSetId::EMPTY, commute_model::LockId(0));
        let mut list: Vec<Access> = Vec::new();
        for (i, &epoch) in epochs.iter().enumerate() {
            let index = i as u64 + 1;
            let access = Access::new((0, 1), (index, LocationId(0)), (held, epoch, 0), 0);
            record(&mut list, access);
        }
        let mut kept: Vec<u64> = list.iter().map(Access::index).collect();
        kept.dedup();
        kept
    }

    #[test]
    fn the_last_and_the_last_first_ones_are_kept() {
        assert_eq!(kept(&[1]), [1]);
        assert_eq!(kept(&[1, 1]), [1, 2]);
        assert_eq!(kept(&[1, 1, 1]), [1, 3]);
        assert_eq!(kept(&[1, 2]), [1, 2]);
        assert_eq!(kept(&[1, 1, 1, 2, 2, 2]), [1, 4, 6]);
        assert_eq!(kept(&[1, 2, 2, 3, 3, 3]), [2, 4, 6]);
        assert_eq!(size_of::<Access>(), 32);
    }
}
