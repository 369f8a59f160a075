//! The other ways to make a set, and to compare and show it.

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::panic::Location;

use super::HashSet;
use crate::keyed::INSERT;

impl<K: Clone + Eq + Hash, H: BuildHasher + Clone> Clone for HashSet<K, H> {
    #[track_caller]
    fn clone(&self) -> Self {
        let clone = Self::of(self.inner.clone());
        let at = Location::caller();
        if let Some(set) = self.explored(at) {
            set.copy_to(&clone.places);
            return clone;
        }
        clone.inner.iter_sync(|k, ()| {
            clone.say(&INSERT, at, k, true);
            true
        });
        clone
    }
}

impl<K: Eq + Hash, H: BuildHasher> HashSet<K, H> {
    /// As `iter_sync`, but nothing is recorded.
    #[track_caller]
    fn look_at_all(&self, mut f: impl FnMut(&K) -> bool) -> bool {
        match self.explored(Location::caller()) {
            Some(set) => set.iter(|k, ()| f(k)),
            None => self.inner.iter_sync(|k, ()| f(k)),
        }
    }

    /// Whether an element is there; nothing is recorded.
    #[track_caller]
    fn look_at(&self, key: &K) -> bool {
        match self.explored(Location::caller()) {
            Some(set) => set.contains(key),
            None => self.inner.contains_sync(key),
        }
    }
}

impl<K: fmt::Debug + Eq + Hash, H: BuildHasher> fmt::Debug for HashSet<K, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut d = f.debug_set();
        self.look_at_all(|k| {
            d.entry(k);
            true
        });
        d.finish()
    }
}

impl<K, H: BuildHasher + Default> Default for HashSet<K, H> {
    #[track_caller]
    fn default() -> Self {
        Self::with_hasher(H::default())
    }
}

impl<K: Eq + Hash, H: BuildHasher + Default> FromIterator<K> for HashSet<K, H> {
    #[track_caller]
    fn from_iter<T: IntoIterator<Item = K>>(iter: T) -> Self {
        let set = Self::default();
        for key in iter {
            let _ = set.insert_sync(key);
        }
        set
    }
}

impl<K: Eq + Hash, H: BuildHasher> PartialEq for HashSet<K, H> {
    fn eq(&self, other: &Self) -> bool {
        let all = |one: &Self, other: &Self| one.look_at_all(|k| other.look_at(k));
        all(self, other) && all(other, self)
    }
}
