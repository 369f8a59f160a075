//! The other ways to make, fill, compare and show a set.

use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::panic::Location;

use ::papaya::Guard;

use super::map::INSERT;
use super::set::{HashSet, HashSetRef, say};

impl<K, S: Default> Default for HashSet<K, S> {
    #[track_caller]
    fn default() -> Self {
        Self::with_hasher(S::default())
    }
}

impl<K: Hash + Eq + fmt::Debug, S: BuildHasher> fmt::Debug for HashSet<K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.turns().look();
        self.inner.fmt(f)
    }
}

impl<K: Hash + Eq, S: BuildHasher> Extend<K> for &HashSet<K, S> {
    #[track_caller]
    fn extend<T: IntoIterator<Item = K>>(&mut self, iter: T) {
        let guard = self.guard();
        for key in iter {
            self.insert(key, &guard);
        }
    }
}

impl<K: Hash + Eq, S: BuildHasher + Default> FromIterator<K> for HashSet<K, S> {
    #[track_caller]
    fn from_iter<T: IntoIterator<Item = K>>(iter: T) -> Self {
        let set = HashSet::default();
        (&set).extend(iter);
        set
    }
}

impl<'a, K: Copy + Hash + Eq + 'a, S: BuildHasher> Extend<&'a K> for &HashSet<K, S> {
    #[track_caller]
    fn extend<T: IntoIterator<Item = &'a K>>(&mut self, iter: T) {
        self.extend(iter.into_iter().copied());
    }
}

impl<K: Hash + Eq, const N: usize> From<[K; N]> for HashSet<K, RandomState> {
    #[track_caller]
    fn from(keys: [K; N]) -> Self {
        keys.into_iter().collect()
    }
}

impl<K: Hash + Eq, S: BuildHasher> PartialEq for HashSet<K, S> {
    fn eq(&self, other: &Self) -> bool {
        self.turns().look();
        other.turns().look();
        self.inner == other.inner
    }
}

impl<K: Hash + Eq, S: BuildHasher> Eq for HashSet<K, S> {}

impl<K: Clone + Hash + Eq, S: BuildHasher + Clone> Clone for HashSet<K, S> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.turns().look();
        let clone = Self::of(self.inner.clone());
        let turn = clone.turns.turn();
        let at = Location::caller();
        for key in &clone.inner.pin() {
            say(&turn, &INSERT, at, key, true);
        }
        drop(turn);
        clone
    }
}

impl<K: Hash + Eq + fmt::Debug, S: BuildHasher, G: Guard> fmt::Debug for HashSetRef<'_, K, S, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.set().fmt(f)
    }
}
