//! The map.

use std::hash::{BuildHasher, Hash, RandomState};
use std::panic::Location;

use ::scc::Equivalent;
use ::scc::hash_map as original;
use commute_record::{Kind, Method, Raw, is_on, value_of};

use super::entry::{Entry, ReplaceResult};
use super::explored::Explored;
use super::places::Places;
use super::seen::Seen;
use crate::compose::offered;
use crate::explored::keyed::values_of;
use crate::explored::unseen;
use crate::keyed::{At, CONTAINS_KEY, GET, INSERT, REMOVE, change, record};

static MAP: Kind = Kind::object("scc_map", "map");
pub(super) static TRY_INSERT: Method = Method::new("try_insert");

/// As [`scc::HashMap`](original::HashMap).
pub struct HashMap<K, V, H: BuildHasher = RandomState> {
    pub(super) inner: original::HashMap<K, V, H>,
    pub(crate) seen: Seen,
    /// What is in it in a test that is explored.
    pub(super) places: Places<K, V>,
}

impl<K, V, H: BuildHasher> HashMap<K, V, H> {
    #[track_caller]
    pub(super) const fn of(inner: original::HashMap<K, V, H>) -> Self {
        HashMap {
            inner,
            seen: Seen::new(&MAP),
            places: Places::new(),
        }
    }

    /// As the original's.
    #[track_caller]
    pub const fn with_hasher(build_hasher: H) -> Self {
        Self::of(original::HashMap::with_hasher(build_hasher))
    }

    /// As the original's.
    #[track_caller]
    pub fn with_capacity_and_hasher(capacity: usize, build_hasher: H) -> Self {
        Self::of(original::HashMap::with_capacity_and_hasher(
            capacity,
            build_hasher,
        ))
    }
}

impl<K: Eq + Hash, V> HashMap<K, V, RandomState> {
    /// As the original's.
    #[track_caller]
    pub fn new() -> Self {
        Self::of(original::HashMap::new())
    }

    /// As the original's.
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::of(original::HashMap::with_capacity(capacity))
    }
}

impl<K: Eq + Hash, V, H: BuildHasher> HashMap<K, V, H> {
    /// In a test that is explored.
    pub(super) fn explored(&self, at: At) -> Option<Explored<'_, K, V>> {
        let has_others = || !self.inner.is_empty();
        let explored = (self.places).explored(&self.seen.tag, at, values_of::<V>(), has_others)?;
        offered::table::<Self, K, V>(self, &self.seen.tag, false);
        Some(explored)
    }

    /// As the original's.
    #[track_caller]
    pub fn entry_sync(&self, key: K) -> Entry<'_, K, V, H> {
        let at = Location::caller();
        match self.explored(at) {
            Some(map) => Entry::explored(map, map.entry(&key), key, &self.seen, at),
            None => Entry::new(self.inner.entry_sync(key), &self.seen, at),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn replace_sync(&self, key: K) -> ReplaceResult<'_, K, V, H> {
        let at = Location::caller();
        match self.explored(at) {
            Some(map) => ReplaceResult::explored(map, map.entry(&key), key, &self.seen, at),
            None => ReplaceResult::new(self.inner.replace_sync(key), &self.seen, at),
        }
    }

    /// As the original's.
    pub fn reserve(&self, additional: usize) -> Option<original::Reserve<'_, K, V, H>> {
        // It gives the map inside, which is empty in a test that is explored.
        unseen("what `reserve` of a map of `scc` gives");
        self.inner.reserve(additional)
    }

    /// As the original's.
    #[track_caller]
    pub fn try_entry(&self, key: K) -> Option<Entry<'_, K, V, H>> {
        let at = Location::caller();
        match self.explored(at) {
            Some(map) => {
                let alone = map.try_entry(&key)?;
                Some(Entry::explored(map, alone, key, &self.seen, at))
            }
            None => Some(Entry::new(self.inner.try_entry(key)?, &self.seen, at)),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn insert_sync(&self, key: K, val: V) -> Result<(), (K, V)> {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            return map.insert(key, val);
        }
        if !is_on() {
            return self.inner.insert_sync(key, val);
        }
        // To look first keeps the key, which an entry that is occupied would not.
        if let Some(entry) = self.inner.get_sync(&key) {
            self.refuse(&key, &val, at);
            drop(entry);
            return Err((key, val));
        }
        match self.inner.replace_sync(key) {
            original::ReplaceResult::NotReplaced(entry) => {
                self.insert_vacant(entry, val, &TRY_INSERT, Raw::Bool(true), at);
                Ok(())
            }
            original::ReplaceResult::Replaced(entry, other) => {
                self.refuse(&other, &val, at);
                drop(entry);
                Err((self.put_back(other), val))
            }
        }
    }

    /// With the bucket locked.
    pub(super) fn refuse(&self, key: &K, val: &V, at: At) {
        let args = [value_of(key), value_of(val)];
        record(&self.seen.tag, &TRY_INSERT, at, &args, &[Raw::Bool(false)]);
    }

    /// Puts a key that was replaced back, for the one that replaced it.
    fn put_back(&self, key: K) -> K {
        match self.inner.replace_sync(key) {
            original::ReplaceResult::Replaced(_, key) => key,
            original::ReplaceResult::NotReplaced(entry) => entry.into_key(),
        }
    }

    pub(super) fn insert_vacant(
        &self,
        entry: original::VacantEntry<'_, K, V, H>,
        val: V,
        method: &Method,
        result: Raw<'_>,
        at: At,
    ) {
        self.seen.count_insertion();
        let entry = entry.insert_entry(val);
        if is_on() {
            let args = [value_of(entry.key()), value_of(entry.get())];
            record(&self.seen.tag, method, at, &args, &[result]);
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn upsert_sync(&self, key: K, val: V) -> Option<V> {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            return map.upsert(key, val, true).map(|(_, before)| before);
        }
        if !is_on() {
            return self.inner.upsert_sync(key, val);
        }
        self.upsert_at(self.inner.entry_sync(key), val, at)
    }

    pub(super) fn upsert_at(
        &self,
        entry: original::Entry<'_, K, V, H>,
        val: V,
        at: At,
    ) -> Option<V> {
        match entry {
            original::Entry::Vacant(entry) => {
                self.insert_vacant(entry, val, &INSERT, Raw::Nil, at);
                None
            }
            original::Entry::Occupied(mut entry) => {
                let before = entry.insert(val);
                if is_on() {
                    let args = [value_of(entry.key()), value_of(entry.get())];
                    record(&self.seen.tag, &INSERT, at, &args, &[value_of(&before)]);
                }
                Some(before)
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn update_sync<Q, U, R>(&self, key: &Q, updater: U) -> Option<R>
    where
        Q: Equivalent<K> + Hash + ?Sized,
        U: FnOnce(&K, &mut V) -> R,
    {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            return map.update(key, updater);
        }
        let mut updater = Some(updater);
        loop {
            let since = self.seen.now();
            let updated = self.inner.update_sync(key, |k, v| {
                let updater = updater.take()?;
                Some(change(
                    &self.seen.tag,
                    at,
                    k,
                    v,
                    |v| updater(k, v),
                    |_| false,
                ))
            });
            if updated.is_some() || self.absent(since, &GET, at, key) {
                return updated.flatten();
            }
        }
    }

    /// Whether nothing was found, after looking.
    pub(super) fn absent<Q: ?Sized>(&self, since: u64, method: &Method, at: At, key: &Q) -> bool {
        let result = match std::ptr::eq(method, &CONTAINS_KEY) {
            true => Raw::Bool(false),
            false => Raw::Nil,
        };
        !is_on() || self.seen.absent(since, method, at, value_of(key), result)
    }

    /// As the original's.
    #[track_caller]
    pub fn remove_sync<Q>(&self, key: &Q) -> Option<(K, V)>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            return map.remove(key);
        }
        loop {
            let since = self.seen.now();
            let change = |v: &mut V| change(&self.seen.tag, at, key, v, |_| true, |_| true);
            let removed = self.inner.remove_if_sync(key, change);
            if removed.is_some() || self.absent(since, &REMOVE, at, key) {
                return removed;
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn remove_if_sync<Q, F: FnOnce(&mut V) -> bool>(
        &self,
        key: &Q,
        condition: F,
    ) -> Option<(K, V)>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        if let Some(map) = self.explored(at) {
            return map.remove_if(key, condition);
        }
        let mut condition = Some(condition);
        loop {
            let since = self.seen.now();
            let removed = self.inner.remove_if_sync(key, |v| match condition.take() {
                Some(condition) => {
                    change(&self.seen.tag, at, key, v, condition, |removes| *removes)
                }
                None => false,
            });
            if condition.is_none() || self.absent(since, &GET, at, key) {
                return removed;
            }
        }
    }
}
