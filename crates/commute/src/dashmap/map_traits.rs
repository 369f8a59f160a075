//! What maps have in common with other types.

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::panic::Location;

use commute_record::{Raw, is_on, value_of};

use super::iter::{Iter, OwningIter};
use super::map::DashMap;
use super::multiple::RefMulti;
use super::recording::{INSERT, record};
use crate::explored;

impl<K, V, S> Clone for DashMap<K, V, S>
where
    K: Eq + Hash + Clone,
    V: Clone,
    S: BuildHasher + Clone,
{
    #[track_caller]
    fn clone(&self) -> Self {
        if explored::is_on(&self.tag) {
            let clone = Self::with_hasher(self.hasher().clone());
            for entry in self.iter() {
                clone.insert(entry.key().clone(), entry.value().clone());
            }
            return clone;
        }
        let clone = Self::of(self.inner.clone());
        if is_on() {
            let at = Location::caller();
            for entry in &clone.inner {
                let args = [value_of(entry.key()), value_of(entry.value())];
                record(&clone.tag, &INSERT, at, &args, &[Raw::Nil]);
            }
        }
        clone
    }
}

impl<K, V, S> Default for DashMap<K, V, S>
where
    K: Eq + Hash,
    S: Default + BuildHasher + Clone,
{
    #[track_caller]
    fn default() -> Self {
        Self::with_hasher(S::default())
    }
}

impl<K: Eq + Hash + fmt::Debug, V: fmt::Debug, S: BuildHasher + Clone> fmt::Debug
    for DashMap<K, V, S>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<K: Eq + Hash, V, S: BuildHasher + Clone> IntoIterator for DashMap<K, V, S> {
    type Item = (K, V);
    type IntoIter = OwningIter<K, V, S>;

    fn into_iter(self) -> Self::IntoIter {
        OwningIter::new(self.inner)
    }
}

impl<'a, K: Eq + Hash, V, S: BuildHasher + Clone> IntoIterator for &'a DashMap<K, V, S> {
    type Item = RefMulti<'a, K, V>;
    type IntoIter = Iter<'a, K, V, S, DashMap<K, V, S>>;

    #[track_caller]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Eq + Hash, V, S: BuildHasher + Clone> Extend<(K, V)> for DashMap<K, V, S> {
    #[track_caller]
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Eq + Hash, V, S: BuildHasher + Clone + Default> FromIterator<(K, V)> for DashMap<K, V, S> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = DashMap::default();
        map.extend(entries);
        map
    }
}
