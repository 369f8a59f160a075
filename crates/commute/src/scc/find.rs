//! What looks for a key in a map.

use std::hash::{BuildHasher, Hash};
use std::panic::Location;

use ::scc::Equivalent;
use commute_record::{Raw, is_on, value_of};

use super::HashMap;
use super::entry::OccupiedEntry;
use crate::keyed::{At, CONTAINS_KEY, GET, record};

impl<K: Eq + Hash, V, H: BuildHasher> HashMap<K, V, H> {
    /// As the original's.
    #[track_caller]
    pub fn get_sync<Q>(&self, key: &Q) -> Option<OccupiedEntry<'_, K, V, H>>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            return Some(OccupiedEntry::explored(map, map.get(key)?, &self.seen, at));
        }
        loop {
            let since = self.seen.now();
            if let Some(inner) = self.inner.get_sync(key) {
                return Some(OccupiedEntry::new(inner, &self.seen, at));
            }
            if self.absent(since, &GET, at, key) {
                return None;
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn read_sync<Q, R, F: FnOnce(&K, &V) -> R>(&self, key: &Q, reader: F) -> Option<R>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            return map.read(key, reader);
        }
        let mut reader = Some(reader);
        loop {
            let since = self.seen.now();
            let read = self.inner.read_sync(key, |k, v| {
                self.saw(k, v, at);
                reader.take().map(|reader| reader(k, v))
            });
            if read.is_some() || self.absent(since, &GET, at, key) {
                return read.flatten();
            }
        }
    }

    /// With the bucket locked.
    pub(super) fn saw(&self, key: &K, value: &V, at: At) {
        if is_on() {
            let results = [value_of(value)];
            record(&self.seen.tag, &GET, at, &[value_of(key)], &results);
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn contains_sync<Q>(&self, key: &Q) -> bool
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            return map.contains(key);
        }
        loop {
            let since = self.seen.now();
            let found = self.inner.read_sync(key, |k, _| self.contained(k, at));
            if found.is_some() || self.absent(since, &CONTAINS_KEY, at, key) {
                return found.is_some();
            }
        }
    }

    /// With the bucket locked.
    pub(super) fn contained(&self, key: &K, at: At) {
        if is_on() {
            let results = [Raw::Bool(true)];
            record(
                &self.seen.tag,
                &CONTAINS_KEY,
                at,
                &[value_of(key)],
                &results,
            );
        }
    }
}
