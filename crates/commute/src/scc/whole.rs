//! Operations on the map as a whole, which go from bucket to bucket.

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::ops::RangeInclusive;
use std::panic::Location;

use ::scc::Equivalent;
use commute_record::{Raw, is_on, value_of};

use super::HashMap;
use super::entry::{ConsumableEntry, OccupiedEntry};
use super::explored::Explored;
use crate::explored::unseen;
use crate::keyed::{At, INSERT, IS_EMPTY, LEN, change, record};

impl<K: Eq + Hash, V, H: BuildHasher> HashMap<K, V, H> {
    /// As the original's.
    #[track_caller]
    pub fn begin_sync(&self) -> Option<OccupiedEntry<'_, K, V, H>> {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            let first = map.any(None, |_, _| true)?;
            return Some(OccupiedEntry::explored(map, first, &self.seen, at));
        }
        let inner = self.inner.begin_sync()?;
        Some(OccupiedEntry::new(inner, &self.seen, at))
    }

    /// As the original's.
    #[track_caller]
    pub fn any_sync<P: FnMut(&K, &V) -> bool>(
        &self,
        mut pred: P,
    ) -> Option<OccupiedEntry<'_, K, V, H>> {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            let found = map.any(None, pred)?;
            return Some(OccupiedEntry::explored(map, found, &self.seen, at));
        }
        let decide = |k: &K, v: &V| self.decides(&mut pred, (k, v), at);
        let inner = self.inner.any_sync(decide)?;
        Some(OccupiedEntry::new(inner, &self.seen, at))
    }

    /// Whether an entry is the one that is looked for. That one is recorded when its
    /// guard goes.
    pub(super) fn decides(
        &self,
        pred: &mut impl FnMut(&K, &V) -> bool,
        (k, v): (&K, &V),
        at: At,
    ) -> bool {
        let is = pred(k, v);
        if !is {
            self.saw(k, v, at);
        }
        is
    }

    /// As the original's.
    #[track_caller]
    pub fn iter_sync<F: FnMut(&K, &V) -> bool>(&self, mut f: F) -> bool {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            return map.iter(f);
        }
        self.inner.iter_sync(|k, v| {
            self.saw(k, v, at);
            f(k, v)
        })
    }

    /// The same, but nothing is recorded.
    #[track_caller]
    fn look_at_all(&self, f: impl FnMut(&K, &V) -> bool) -> bool {
        match self.explored(Location::caller()) {
            Some(map) => map.iter(f),
            None => self.inner.iter_sync(f),
        }
    }

    /// Looks at a value; nothing is recorded.
    #[track_caller]
    fn look_at<R>(&self, key: &K, f: impl FnOnce(&V) -> R) -> Option<R> {
        match self.explored(Location::caller()) {
            Some(map) => map.read(key, |_, v| f(v)),
            None => self.inner.read_sync(key, |_, v| f(v)),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn iter_mut_sync<F: FnMut(ConsumableEntry<'_, K, V>) -> bool>(&self, mut f: F) -> bool {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            return map.iter_mut(|alone| f(ConsumableEntry::explored(alone)));
        }
        self.inner
            .iter_mut_sync(|inner| f(ConsumableEntry::new(inner, &self.seen.tag, at)))
    }

    /// As the original's.
    #[track_caller]
    pub fn retain_sync<F: FnMut(&K, &mut V) -> bool>(&self, mut pred: F) {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            return retain(map, pred);
        }
        self.inner
            .retain_sync(|k, v| change(&self.seen.tag, at, k, v, |v| pred(k, v), |stays| !*stays));
    }

    /// As the original's.
    #[track_caller]
    pub fn clear_sync(&self) {
        match is_on() || self.explored(Location::caller()).is_some() {
            true => self.retain_sync(|_, _| false),
            false => self.inner.clear_sync(),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn len(&self) -> usize {
        if let Some(map) = self.explored(Location::caller()) {
            return map.len();
        }
        let len = self.inner.len();
        if is_on() {
            record(
                &self.seen.tag,
                &LEN,
                Location::caller(),
                &[],
                &[Raw::Opaque],
            );
        }
        len
    }

    /// As the original's.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        if let Some(map) = self.explored(Location::caller()) {
            return map.is_empty();
        }
        let is_empty = self.inner.is_empty();
        if is_on() {
            let at = Location::caller();
            record(&self.seen.tag, &IS_EMPTY, at, &[], &[Raw::Opaque]);
        }
        is_empty
    }

    /// As the original's.
    pub fn capacity(&self) -> usize {
        unseen("the capacity of a map of `scc`");
        self.inner.capacity()
    }

    /// As the original's.
    pub fn capacity_range(&self) -> RangeInclusive<usize> {
        self.inner.capacity_range()
    }

    /// As the original's.
    pub fn bucket_index<Q>(&self, key: &Q) -> usize
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        unseen("the bucket of a key in a map of `scc`");
        self.inner.bucket_index(key)
    }
}

/// In a test that is explored.
pub(super) fn retain<K: Eq + Hash, V>(
    map: Explored<'_, K, V>,
    mut pred: impl FnMut(&K, &mut V) -> bool,
) {
    map.iter_mut(|alone| {
        let mut entry = ConsumableEntry::explored(alone);
        if { entry.pair_mut() }.is_some_and(|(k, v)| !pred(k, v)) {
            drop(entry.consume());
        }
        true
    });
}

impl<K, V, H> Clone for HashMap<K, V, H>
where
    K: Clone + Eq + Hash,
    V: Clone,
    H: BuildHasher + Clone,
{
    #[track_caller]
    fn clone(&self) -> Self {
        let clone = Self::of(self.inner.clone());
        if let Some(map) = self.explored(Location::caller()) {
            map.copy_to(&clone.places);
            return clone;
        }
        if is_on() {
            let at = Location::caller();
            clone.inner.iter_sync(|k, v| {
                let args = [value_of(k), value_of(v)];
                record(&clone.seen.tag, &INSERT, at, &args, &[Raw::Nil]);
                true
            });
        }
        clone
    }
}

impl<K: fmt::Debug + Eq + Hash, V: fmt::Debug, H: BuildHasher> fmt::Debug for HashMap<K, V, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut d = f.debug_map();
        self.look_at_all(|k, v| {
            d.entry(k, v);
            true
        });
        d.finish()
    }
}

impl<K, V, H: BuildHasher + Default> Default for HashMap<K, V, H> {
    #[track_caller]
    fn default() -> Self {
        Self::with_hasher(H::default())
    }
}

impl<K: Eq + Hash, V, H: BuildHasher + Default> FromIterator<(K, V)> for HashMap<K, V, H> {
    #[track_caller]
    fn from_iter<T: IntoIterator<Item = (K, V)>>(iter: T) -> Self {
        let map = Self::default();
        for (key, value) in iter {
            map.upsert_sync(key, value);
        }
        map
    }
}

impl<K: Eq + Hash, V: PartialEq, H: BuildHasher> PartialEq for HashMap<K, V, H> {
    fn eq(&self, other: &Self) -> bool {
        let all = |one: &Self, other: &Self| {
            one.look_at_all(|k, v| other.look_at(k, |other| v == other) == Some(true))
        };
        all(self, other) && all(other, self)
    }
}
