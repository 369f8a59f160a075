//! Lists of the accesses that later ones can be paired with.
//!
//! The number of kept accesses is bounded for each thread, kind of access and access point:
//! a few accesses for each lock set and each site. An access that does not fit is either
//! [outdated](Access::is_outdated), so that no later event would be paired with it, or one
//! access is kept that [stands for](stand_for) it. A candidate with such an access is
//! counted and makes the verdict inconclusive.

use std::ops::{DerefMut, Range};

use smallvec::SmallVec;

use super::access::{Access, FORGOTTEN, KIND};
use super::options::Options;
use crate::locksets::LockSetId;

/// How many accesses are kept of one kind by one thread under a set of locks at a site.
const PLACES: usize = 3;

/// Where in a list the accesses of a thread probably are.
#[inline]
pub(super) fn place_of(thread: u32) -> usize {
    2 * PLACES * thread as usize
}

/// For how many pairs of a set of locks and a site the accesses of one kind by one thread
/// are kept.
const MOST_KEYS: usize = 32;

/// So many accesses are looked at one by one.
const FEW: usize = 8;

/// For how many sets of locks there is an access that stands for forgotten ones.
const MOST_SETS: usize = 8;

/// Adds an access to a list, which is sorted. Of a thread, a kind, a set of locks and a
/// site three are kept: the last, which the fewest others need, and the last two that were
/// the first at the site in an epoch, because those before it in a section could not be
/// left out. Where no lock is held these are the last of each of the last three epochs:
/// what the thread learned in between could not be left out either.
///
/// If there are too many sets of locks and sites, the outdated accesses are dropped. If there
/// are none, those at the site that was left longest ago are forgotten.
#[inline]
pub(super) fn record<T: Kept>(kept: &mut impl List<T>, new: T, options: &Options) {
    let key = new.key();
    let start = find(kept, key, new.guess());
    let same = |place: usize| kept.get(place).is_some_and(|old| old.key() == key);
    let locked = new.access().held != LockSetId::EMPTY;
    match (same(start), locked) {
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
        (true, true) => {
            if kept[start + 2].access().epoch != new.access().epoch {
                kept[start] = kept[start + 1];
                kept[start + 1] = new;
            }
            kept[start + 2] = new;
        }
        (false, _) => {
            let mut start = start;
            if kept.len() >= MOST_KEYS {
                start = make_room(kept, &new, options);
            }
            let places = if locked { PLACES } else { 1 };
            (0..places).for_each(|_| kept.insert(start, new));
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

/// The accesses of a list that are of the thread and the kind of this one.
pub(super) fn like<'a>(kept: &'a [Access], access: &Access) -> impl Iterator<Item = &'a Access> {
    kept[own(kept, access.key().kind)].iter()
}

/// Where the accesses with a key begin, or would; probably at `guess`.
#[inline]
fn find<T: Kept>(kept: &[T], key: SortKey, guess: usize) -> usize {
    // Where all threads read and write under one lock, each is at its own place.
    if let Some(old) = kept.get(guess)
        && old.key() == key
        && (guess == 0 || kept[guess - 1].key() != key)
    {
        return guess;
    }
    // Numbers of threads are compared faster than keys, and most threads are at few sites.
    let thread = key.thread();
    let mut start = kept.partition_point(|old| old.access().thread < thread);
    let end = start + FEW;
    while let Some(old) = kept.get(start)
        && old.key() < key
    {
        start += 1;
        if start == end {
            return start + kept[start..].partition_point(|old| old.key() < key);
        }
    }
    start
}

/// Drops accesses of the thread, the class and the kind of `new` if there are too many.
/// Returns where `new` belongs.
#[cold]
fn make_room<T: Kept>(kept: &mut impl List<T>, new: &T, options: &Options) -> usize {
    let key = new.key();
    let own = own(kept, key.kind);
    let is_last = |i: &usize| *i + 1 == own.end || kept[i + 1].key() != kept[*i].key();
    let known = |i: &usize| !kept[*i].access().is_forgotten() && is_last(i);
    let mut keys: SmallVec<[usize; MOST_KEYS]> = own.clone().filter(known).collect();
    if keys.len() >= MOST_KEYS {
        let oldest = { keys.iter().copied() }.min_by_key(|&i| kept[i].access().index());
        let others = || kept[own.clone()].iter().map(Kept::access);
        keys.retain(|i| kept[*i].access().is_outdated(new.access(), options, others));
        for &last in keys.iter().rev() {
            remove(kept, last);
        }
        if keys.is_empty()
            && let Some(oldest) = oldest
        {
            let forgotten = kept[oldest];
            remove(kept, oldest);
            stand_for(kept, forgotten);
        }
    }
    kept.partition_point(|old| old.key() < key)
}

/// Where the accesses of a thread, a class and a kind are.
fn own<T: Kept>(kept: &[T], kind: u64) -> Range<usize> {
    let start = kept.partition_point(|old| old.key().kind < kind);
    let len = kept[start..].partition_point(|old| old.key().kind == kind);
    start..start + len
}

/// Removes the accesses with the key of the one at `last`, which is the last of them.
fn remove<T: Kept>(kept: &mut impl List<T>, last: usize) {
    let key = kept[last].key();
    let start = kept.partition_point(|old| old.key() < key);
    (start..=last).rev().for_each(|place| kept.remove(place));
}

/// Makes an access stand for itself and for those of its thread, its kind and its locks that
/// were forgotten before it: it is the last of them, which the fewest others need. Of very
/// many sets of locks some are taken together as locks that are not known.
fn stand_for<T: Kept>(kept: &mut impl List<T>, mut forgotten: T) {
    let access = forgotten.access_mut();
    access.location = FORGOTTEN;
    let is_known = |kept: &[T], key| kept.binary_search_by_key(&key, Kept::key).is_ok();
    if !is_known(kept, forgotten.key()) {
        let stands = |old: &&T| old.access().is_forgotten();
        let own = own(kept, forgotten.key().kind);
        if kept[own].iter().filter(stands).count() >= MOST_SETS {
            forgotten.access_mut().held = LockSetId::UNKNOWN;
        }
    }
    match kept.binary_search_by_key(&forgotten.key(), Kept::key) {
        Ok(place) if kept[place].access().index() < forgotten.access().index() => {
            kept[place] = forgotten;
        }
        Ok(_) => {}
        Err(place) => kept.insert(place, forgotten),
    }
}

/// What lists are sorted by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct SortKey {
    /// The thread, the class of an access point, and the kind.
    kind: u64,
    /// The locks and the site.
    place: u64,
}

impl SortKey {
    #[inline]
    fn thread(self) -> u32 {
        (self.kind >> 32) as u32
    }
}

/// An access in a list, perhaps with more data.
pub(super) trait Kept: Copy {
    /// The access.
    fn access(&self) -> &Access;

    /// The access, to be changed.
    fn access_mut(&mut self) -> &mut Access;

    /// The class of an access point.
    #[inline]
    fn class(&self) -> u16 {
        0
    }

    /// What lists are sorted by.
    #[inline]
    fn key(&self) -> SortKey {
        let access = self.access();
        let class = u64::from(self.class()) << KIND;
        SortKey {
            kind: u64::from(access.thread) << 32 | class | u64::from(access.kind()),
            place: u64::from(access.held.number()) << 32 | u64::from(access.location.0),
        }
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

    /// The access, to be changed.
    fn access_mut(&mut self) -> &mut Access {
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

impl Access {
    /// Whether it is long before `later`, and its thread has done the same under the same
    /// locks so often after it, among `others`, that the last accesses, of which pairs
    /// further apart are looked at, do not include it.
    #[inline]
    pub(super) fn is_outdated<'a, I>(
        &self,
        later: &Access,
        options: &Options,
        others: impl FnOnce() -> I,
    ) -> bool
    where
        I: Iterator<Item = &'a Access>,
    {
        self.index() < options.since(later.index()) && self.is_superseded(others())
    }

    /// Whether it would not be kept if all accesses were at one site.
    #[cold]
    fn is_superseded<'a>(&self, others: impl Iterator<Item = &'a Access>) -> bool {
        let is_locked = self.held != LockSetId::EMPTY;
        let most = PLACES - usize::from(is_locked);
        let mut epochs = SmallVec::<[u32; PLACES]>::new();
        let is_like = |other: &&Access| {
            let of = |access: &Access| (access.thread, access.kind(), access.held);
            of(other) == of(self) && other.index() > self.index()
        };
        for later in others.filter(is_like) {
            if later.epoch == self.epoch {
                if !is_locked {
                    return true;
                }
            } else if !epochs.contains(&later.epoch) {
                epochs.push(later.epoch);
                if epochs.len() == most {
                    return true;
                }
            }
        }
        false
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
            record(&mut list, access, &Options::default());
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
