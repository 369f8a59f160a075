//! The map.

use std::borrow::Borrow;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};
use std::panic::Location;
use std::sync::Arc;

use ::dashmap as original;
use ::dashmap::mapref::one as guards;
use ::dashmap::try_result::TryResult;
use ::dashmap::{ReadOnlyView, TryReserveError};
use commute_record::{Method, Raw, Tag, is_on, value_of};

use super::entry::Entry;
use super::explored::{Explored, Guarded, Real};
use super::iter::{Iter, IterMut};
use super::looking::Ref;
use super::one::RefMut;
use super::recording::{
    At, CONTAINS_KEY, GET, Held, INSERT, IS_EMPTY, LEN, MAP, REMOVE, change, record,
};
use super::spread::{SHARDS, Spread};
use crate::compose::offered;
use crate::explored;
use crate::explored::keyed::values_of;

/// See [`dashmap::DashMap`](original::DashMap).
pub struct DashMap<K, V, S = RandomState> {
    pub(super) inner: Real<K, V, S>,
    pub(crate) tag: Tag,
}

impl<K: Eq + Hash, V> DashMap<K, V, RandomState> {
    /// An empty map.
    #[track_caller]
    pub fn new() -> Self {
        Self::with_hasher(RandomState::default())
    }

    /// An empty map with room.
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::with_capacity_and_hasher(capacity, RandomState::default())
    }

    /// An empty map with so many shards.
    #[track_caller]
    pub fn with_shard_amount(shard_amount: usize) -> Self {
        Self::with_hasher_and_shard_amount(RandomState::default(), shard_amount)
    }

    /// Both.
    #[track_caller]
    pub fn with_capacity_and_shard_amount(capacity: usize, shard_amount: usize) -> Self {
        let hasher = RandomState::default();
        Self::with_capacity_and_hasher_and_shard_amount(capacity, hasher, shard_amount)
    }
}

impl<K, V, S> DashMap<K, V, S> {
    #[track_caller]
    pub(super) fn of(inner: Real<K, V, S>) -> Self {
        let tag = Tag::new(&MAP);
        DashMap { inner, tag }
    }
}

/// A map of the original with this hasher, with room and with so many shards, unless a
/// test is explored: then there are as many as that needs.
pub(super) fn real<K: Eq + Hash, V, S: BuildHasher + Clone>(
    capacity: usize,
    hasher: S,
    shards: Option<usize>,
) -> Real<K, V, S> {
    let hasher = Spread::new(hasher);
    let shards = match hasher.is_explored() {
        true => Some(SHARDS),
        false => shards,
    };
    match shards {
        Some(shards) => {
            original::DashMap::with_capacity_and_hasher_and_shard_amount(capacity, hasher, shards)
        }
        None => original::DashMap::with_capacity_and_hasher(capacity, hasher),
    }
}

impl<'a, K: 'a + Eq + Hash, V: 'a, S: BuildHasher + Clone> DashMap<K, V, S> {
    /// In a test that is explored.
    fn explored(&self, at: At) -> Option<Explored<'_, K, V, S>> {
        self.offer().then(|| Explored {
            real: &self.inner,
            tag: &self.tag,
            at,
            values: values_of::<V>(),
        })
    }

    /// Others may use it, too, in a test that is explored; whether this is one.
    fn offer(&self) -> bool {
        let is_explored = explored::is_on(&self.tag);
        if is_explored {
            offered::table::<Self, K, V>(self, &self.tag, false);
        }
        is_explored
    }

    /// For one thread, or for reading only.
    pub fn into_read_only(self) -> ReadOnlyView<K, V, S> {
        let map = original::DashMap::with_hasher(self.hasher().clone());
        for (key, value) in self.inner {
            map.insert(key, value);
        }
        map.into_read_only()
    }

    /// An empty map with this hasher.
    #[track_caller]
    pub fn with_hasher(hasher: S) -> Self {
        Self::with_capacity_and_hasher(0, hasher)
    }

    /// An empty map with room.
    #[track_caller]
    pub fn with_capacity_and_hasher(capacity: usize, hasher: S) -> Self {
        Self::of(real(capacity, hasher, None))
    }

    /// An empty map with so many shards.
    #[track_caller]
    pub fn with_hasher_and_shard_amount(hasher: S, shard_amount: usize) -> Self {
        Self::with_capacity_and_hasher_and_shard_amount(0, hasher, shard_amount)
    }

    /// All of it.
    #[track_caller]
    pub fn with_capacity_and_hasher_and_shard_amount(
        capacity: usize,
        hasher: S,
        shard_amount: usize,
    ) -> Self {
        Self::of(real(capacity, hasher, Some(shard_amount)))
    }

    /// The hash of something.
    pub fn hash_usize<T: Hash>(&self, item: &T) -> usize {
        self.inner.hash_usize(item)
    }

    /// The hasher.
    pub fn hasher(&self) -> &S {
        &self.inner.hasher().hasher
    }

    /// Whether the key is absent; records that it is, while it is.
    fn absent<Q>(&self, key: &Q, method: &Method, at: At, result: Raw<'_>) -> bool
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let hash = self.inner.hash_usize(&key);
        let shard = self.inner.determine_shard(hash);
        let shard = self.inner.shards()[shard].read();
        let is_absent = shard.get(hash as u64, |(k, _)| key == k.borrow()).is_none();
        if is_absent {
            record(&self.tag, method, at, &[value_of(key)], &[result]);
        }
        is_absent
    }

    /// Sets a value; the one before.
    #[track_caller]
    pub fn insert(&self, key: K, value: V) -> Option<V> {
        self.insert_at(key, value, Location::caller())
    }

    pub(super) fn insert_at(&self, key: K, value: V, at: At) -> Option<V> {
        if let Some(explored) = self.explored(at) {
            return explored.insert(key, value);
        }
        if !is_on() {
            return self.inner.insert(key, value);
        }
        match self.inner.entry(key) {
            original::Entry::Occupied(mut entry) => {
                let before = entry.insert(value);
                let args = [value_of(entry.key()), value_of(entry.get())];
                record(&self.tag, &INSERT, at, &args, &[value_of(&before)]);
                Some(before)
            }
            original::Entry::Vacant(entry) => {
                let inserted = entry.insert(value);
                let args = [value_of(inserted.key()), value_of(inserted.value())];
                record(&self.tag, &INSERT, at, &args, &[Raw::Nil]);
                None
            }
        }
    }

    /// Removes an entry.
    #[track_caller]
    pub fn remove<Q>(&self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            return explored.remove(key);
        }
        if !is_on() {
            return self.inner.remove(key);
        }
        loop {
            let removed = self.inner.remove_if(key, |k, v| {
                record(&self.tag, &REMOVE, at, &[value_of(k)], &[value_of(v)]);
                true
            });
            if removed.is_some() || self.absent(key, &REMOVE, at, Raw::Nil) {
                return removed;
            }
        }
    }

    /// Lets `f` say whether an entry stays, and records what it did; the lock of its
    /// shard is held.
    fn decide(&self, at: At, (k, v): (&K, &mut V), f: impl FnOnce(&K, &mut V) -> bool) -> bool {
        change(&self.tag, at, k, v, |v| f(k, v), |stays| !*stays)
    }

    /// Removes an entry if `f` says so.
    #[track_caller]
    pub fn remove_if<Q>(&self, key: &Q, f: impl FnOnce(&K, &V) -> bool) -> Option<(K, V)>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            // Which changes nothing, even if it could.
            let entry = self.taken(explored.get_mut("get_mut", key).try_unwrap()?, at);
            let (k, v) = entry.pair();
            return f(k, v).then(|| self.remove_taken(entry, key)).flatten();
        }
        self.remove_if_mut(key, |k, v| f(k, v))
    }

    fn remove_taken<Q>(&self, entry: RefMut<'_, K, V>, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        entry.give_up();
        self.inner.remove(key)
    }

    /// Removes an entry if `f` says so, which may change it.
    #[track_caller]
    pub fn remove_if_mut<Q>(&self, key: &Q, f: impl FnOnce(&K, &mut V) -> bool) -> Option<(K, V)>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            let mut entry = self.taken(explored.get_mut("get_mut", key).try_unwrap()?, at);
            let (k, v) = entry.pair_mut();
            return f(k, v).then(|| self.remove_taken(entry, key)).flatten();
        }
        let mut f = Some(f);
        loop {
            let removed = self.inner.remove_if_mut(key, |k, v| match f.take() {
                Some(f) => !self.decide(at, (k, v), |k, v| !f(k, v)),
                None => false,
            });
            if f.is_none() || !is_on() || self.absent(key, &GET, at, Raw::Nil) {
                return removed;
            }
        }
    }

    /// The entries, shard by shard.
    #[track_caller]
    pub fn iter(&'a self) -> Iter<'a, K, V, S, DashMap<K, V, S>> {
        self.iter_at(Location::caller())
    }

    pub(super) fn iter_at(&'a self, at: At) -> Iter<'a, K, V, S, DashMap<K, V, S>> {
        self.offer();
        Iter::new(&self.inner, &self.tag, at, values_of::<V>())
    }

    /// The entries, shard by shard, to be changed.
    #[track_caller]
    pub fn iter_mut(&'a self) -> IterMut<'a, K, V, S, DashMap<K, V, S>> {
        self.offer();
        IterMut::new(&self.inner, &self.tag, Location::caller())
    }

    /// The value of a key.
    #[track_caller]
    pub fn get<Q>(&'a self, key: &Q) -> Option<Ref<'a, K, V>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            let (found, hold) = explored.get("get", key).try_unwrap()?;
            return Some(Ref::explored(found, hold));
        }
        loop {
            let found = self.inner.get(key);
            if !is_on() {
                return found.map(Ref::new);
            }
            if let Some(found) = found {
                self.seen(at, &found);
                return Some(Ref::new(found));
            }
            if self.absent(key, &GET, at, Raw::Nil) {
                return None;
            }
        }
    }

    fn seen(&self, at: At, found: &guards::Ref<'a, K, V>) {
        let (key, value) = (value_of(found.key()), value_of(found.value()));
        record(&self.tag, &GET, at, &[key], &[value]);
    }

    /// The value of a key, to be changed.
    #[track_caller]
    pub fn get_mut<Q>(&'a self, key: &Q) -> Option<RefMut<'a, K, V>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            let found = explored.get_mut("get_mut", key).try_unwrap()?;
            return Some(self.taken(found, at));
        }
        loop {
            if let Some(found) = self.inner.get_mut(key) {
                let held = Held::new(&self.tag, at, Some(value_of(found.value())));
                return Some(RefMut::new(found, held));
            }
            if !is_on() || self.absent(key, &GET, at, Raw::Nil) {
                return None;
            }
        }
    }

    /// The value of a key, unless its shard is in use.
    #[track_caller]
    pub fn try_get<Q>(&'a self, key: &Q) -> TryResult<Ref<'a, K, V>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            return match explored.get("try_get", key) {
                TryResult::Locked => TryResult::Locked,
                TryResult::Absent => TryResult::Absent,
                TryResult::Present((found, hold)) => TryResult::Present(Ref::explored(found, hold)),
            };
        }
        match self.inner.try_get(key) {
            TryResult::Present(found) => {
                if is_on() {
                    self.seen(at, &found);
                }
                TryResult::Present(Ref::new(found))
            }
            TryResult::Absent => TryResult::Absent,
            TryResult::Locked => TryResult::Locked,
        }
    }

    /// What a thread has for itself, in a test that is explored.
    fn taken(
        &'a self,
        (found, hold): Guarded<'a, guards::RefMut<'a, K, V>>,
        at: At,
    ) -> RefMut<'a, K, V> {
        let held = hold.map(|hold| {
            let before = value_of(found.value()).to_value();
            Held::explored(&self.tag, at, before, Arc::new(hold))
        });
        RefMut::new(found, held)
    }

    /// The value of a key, to be changed, unless its shard is in use.
    #[track_caller]
    pub fn try_get_mut<Q>(&'a self, key: &Q) -> TryResult<RefMut<'a, K, V>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            return match explored.get_mut("try_get_mut", key) {
                TryResult::Locked => TryResult::Locked,
                TryResult::Absent => TryResult::Absent,
                TryResult::Present(found) => TryResult::Present(self.taken(found, at)),
            };
        }
        match self.inner.try_get_mut(key) {
            TryResult::Present(found) => {
                let held = Held::new(&self.tag, at, Some(value_of(found.value())));
                TryResult::Present(RefMut::new(found, held))
            }
            TryResult::Absent => TryResult::Absent,
            TryResult::Locked => TryResult::Locked,
        }
    }

    /// Gives memory back.
    pub fn shrink_to_fit(&self) {
        self.inner.shrink_to_fit();
    }

    /// Keeps the entries that `f` wants, shard by shard.
    #[track_caller]
    pub fn retain(&self, mut f: impl FnMut(&K, &mut V) -> bool) {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            return explored.retain(f);
        }
        self.inner.retain(|k, v| self.decide(at, (k, v), &mut f));
    }

    /// How many entries there are, shard by shard.
    #[track_caller]
    pub fn len(&self) -> usize {
        if let Some(explored) = self.explored(Location::caller()) {
            return explored.len();
        }
        let len = self.inner.len();
        if is_on() {
            record(&self.tag, &LEN, Location::caller(), &[], &[Raw::Opaque]);
        }
        len
    }

    /// Whether there are none, shard by shard.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        if let Some(explored) = self.explored(Location::caller()) {
            return explored.is_empty();
        }
        let is_empty = self.inner.is_empty();
        if is_on() {
            record(
                &self.tag,
                &IS_EMPTY,
                Location::caller(),
                &[],
                &[Raw::Opaque],
            );
        }
        is_empty
    }

    /// Removes everything, shard by shard.
    #[track_caller]
    pub fn clear(&self) {
        self.retain(|_, _| false);
    }

    /// How many entries there is room for.
    pub fn capacity(&self) -> usize {
        self.inner.capacity()
    }

    /// Replaces a value.
    #[track_caller]
    pub fn alter<Q>(&self, key: &Q, f: impl FnOnce(&K, V) -> V)
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            return explored.alter(key, f);
        }
        let mut f = Some(f);
        loop {
            self.inner.alter(key, |k, v| match f.take() {
                Some(f) => self.replace(at, k, v, f),
                None => v,
            });
            if f.is_none() || !is_on() || self.absent(key, &GET, at, Raw::Nil) {
                return;
            }
        }
    }

    /// Replaces all values, shard by shard.
    #[track_caller]
    pub fn alter_all(&self, mut f: impl FnMut(&K, V) -> V) {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            return explored.alter_all(f);
        }
        self.inner.alter_all(|k, v| self.replace(at, k, v, &mut f));
    }

    fn replace(&self, at: At, k: &K, v: V, f: impl FnOnce(&K, V) -> V) -> V {
        let held = Held::new(&self.tag, at, Some(value_of(&v)));
        let new = f(k, v);
        if let Some(mut held) = held {
            held.touch();
            held.leave(k, &new);
        }
        new
    }

    /// Shows an entry to `f`.
    #[track_caller]
    pub fn view<Q, R>(&self, key: &Q, f: impl FnOnce(&K, &V) -> R) -> Option<R>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let found = self.get(key)?;
        let (key, value) = found.pair();
        Some(f(key, value))
    }

    /// Whether there is such a key.
    #[track_caller]
    pub fn contains_key<Q>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            return explored.contains_key(key);
        }
        loop {
            let found = self.inner.get(key);
            if !is_on() {
                return found.is_some();
            }
            if let Some(found) = found {
                let args = [value_of(found.key())];
                record(&self.tag, &CONTAINS_KEY, at, &args, &[Raw::Bool(true)]);
                return true;
            }
            if self.absent(key, &CONTAINS_KEY, at, Raw::Bool(false)) {
                return false;
            }
        }
    }

    /// A key with its place, for oneself.
    #[track_caller]
    pub fn entry(&'a self, key: K) -> Entry<'a, K, V> {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            let (entry, hold) = explored.entry("entry", key).expect("it waits if need be");
            return Entry::explored(entry, &self.tag, at, hold);
        }
        Entry::new(self.inner.entry(key), &self.tag, at)
    }

    /// A key with its place, unless its shard is in use.
    #[track_caller]
    pub fn try_entry(&'a self, key: K) -> Option<Entry<'a, K, V>> {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            let (entry, hold) = explored.entry("try_entry", key)?;
            return Some(Entry::explored(entry, &self.tag, at, hold));
        }
        let entry = self.inner.try_entry(key)?;
        Some(Entry::new(entry, &self.tag, at))
    }

    /// Makes room.
    ///
    /// # Errors
    /// If there is none.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.inner.try_reserve(additional)
    }
}
