//! The set: a map without values.

use std::borrow::Borrow;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::ops::Deref;
use std::panic::Location;

use ::dashmap as original;
use commute_explore::models::Values;
use commute_record::{Method, Raw, Tag, is_on, value_of};

use super::DashMap;
use super::explored::{Explored, Real};
use super::iter::{Iter as MapIter, OwningIter as MapOwningIter};
use super::looking::Ref as MapRef;
use super::map::real;
use super::multiple::RefMulti as MapRefMulti;
use super::recording::{At, CONTAINS, INSERT, IS_EMPTY, LEN, REMOVE, SET, record};
use crate::compose::offered;
use crate::explored;

/// See [`dashmap::DashSet`](original::DashSet).
pub struct DashSet<K, S = RandomState> {
    pub(super) inner: Real<K, (), S>,
    pub(crate) tag: Tag,
}

impl<K: Eq + Hash> DashSet<K, RandomState> {
    /// An empty set.
    #[track_caller]
    pub fn new() -> Self {
        Self::with_hasher(RandomState::default())
    }

    /// An empty set with room.
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::with_capacity_and_hasher(capacity, RandomState::default())
    }
}

impl<K, S> DashSet<K, S> {
    #[track_caller]
    fn of(inner: Real<K, (), S>) -> Self {
        let tag = Tag::new(&SET);
        DashSet { inner, tag }
    }
}

impl<'a, K: 'a + Eq + Hash, S: BuildHasher + Clone> DashSet<K, S> {
    /// An empty set with this hasher.
    #[track_caller]
    pub fn with_hasher(hasher: S) -> Self {
        Self::with_capacity_and_hasher(0, hasher)
    }

    /// An empty set with room.
    #[track_caller]
    pub fn with_capacity_and_hasher(capacity: usize, hasher: S) -> Self {
        Self::of(real(capacity, hasher, None))
    }

    /// In a test that is explored.
    fn explored(&self, at: At) -> Option<Explored<'_, K, (), S>> {
        self.offer().then_some(Explored {
            real: &self.inner,
            tag: &self.tag,
            at,
            values: Values::None,
        })
    }

    /// Others may use it, too, in a test that is explored; whether this is one.
    fn offer(&self) -> bool {
        let is_explored = explored::is_on(&self.tag);
        if is_explored {
            offered::table::<Self, K, ()>(self, &self.tag, true);
        }
        is_explored
    }

    /// The hash of something.
    pub fn hash_usize<T: Hash>(&self, item: &T) -> usize {
        self.inner.hash_usize(item)
    }

    /// The hasher.
    pub fn hasher(&self) -> &S {
        &self.inner.hasher().hasher
    }

    fn say<Q: ?Sized>(&self, method: &Method, at: At, key: &Q, result: bool) {
        record(
            &self.tag,
            method,
            at,
            &[value_of(key)],
            &[Raw::Bool(result)],
        );
    }

    /// Whether the element is absent; records that it is, while it is.
    fn absent<Q>(&self, key: &Q, method: &Method, at: At) -> bool
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let hash = self.inner.hash_usize(&key);
        let shard = self.inner.determine_shard(hash);
        let shard = self.inner.shards()[shard].read();
        let found = shard.get(hash as u64, |(k, _)| key == k.borrow());
        if found.is_none() {
            self.say(method, at, key, false);
        }
        found.is_none()
    }

    /// Adds an element; whether it is new.
    #[track_caller]
    pub fn insert(&self, key: K) -> bool {
        self.insert_at(key, Location::caller())
    }

    pub(super) fn insert_at(&self, key: K, at: At) -> bool {
        if let Some(explored) = self.explored(at) {
            return explored.insert(key, ()).is_none();
        }
        if !is_on() {
            return self.inner.insert(key, ()).is_none();
        }
        match self.inner.entry(key) {
            original::Entry::Occupied(entry) => {
                self.say(&INSERT, at, entry.key(), false);
                false
            }
            original::Entry::Vacant(entry) => {
                let inserted = entry.insert(());
                self.say(&INSERT, at, inserted.key(), true);
                true
            }
        }
    }

    /// Removes an element.
    #[track_caller]
    pub fn remove<Q>(&self, key: &Q) -> Option<K>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            return explored.remove(key).map(|(key, ())| key);
        }
        loop {
            let removed = self.inner.remove_if(key, |k, ()| {
                if is_on() {
                    self.say(&REMOVE, at, k, true);
                }
                true
            });
            if removed.is_some() || !is_on() || self.absent(key, &REMOVE, at) {
                return removed.map(|(key, ())| key);
            }
        }
    }

    /// Removes an element if `f` says so.
    #[track_caller]
    pub fn remove_if<Q>(&self, key: &Q, f: impl FnOnce(&K) -> bool) -> Option<K>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            let (found, hold) = explored.get_mut("get_mut", key).try_unwrap()?;
            if !f(found.key()) {
                return None;
            }
            if let Some(hold) = hold {
                hold.remove();
            }
            drop(found);
            return self.inner.remove(key).map(|(key, ())| key);
        }
        let mut f = Some(f);
        loop {
            let removed = self.inner.remove_if(key, |k, ()| match f.take() {
                Some(f) => !self.decide(at, k, |k| !f(k)),
                None => false,
            });
            if f.is_none() || !is_on() || self.absent(key, &CONTAINS, at) {
                return removed.map(|(key, ())| key);
            }
        }
    }

    /// Lets `f` say whether an element stays, and records it.
    fn decide(&self, at: At, key: &K, f: impl FnOnce(&K) -> bool) -> bool {
        let stays = f(key);
        if is_on() {
            let method = if stays { &CONTAINS } else { &REMOVE };
            self.say(method, at, key, true);
        }
        stays
    }

    /// The elements, shard by shard.
    #[track_caller]
    pub fn iter(&'a self) -> Iter<'a, K, S, DashMap<K, (), S>> {
        self.iter_at(Location::caller())
    }

    pub(super) fn iter_at(&'a self, at: At) -> Iter<'a, K, S, DashMap<K, (), S>> {
        self.offer();
        Iter {
            inner: MapIter::new(&self.inner, &self.tag, at, Values::None),
            tag: &self.tag,
            at,
            map: PhantomData,
        }
    }

    /// The element that is equal to this one.
    #[track_caller]
    pub fn get<Q>(&'a self, key: &Q) -> Option<Ref<'a, K>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            let (inner, hold) = explored.get("get", key).try_unwrap()?;
            let inner = MapRef::explored(inner, hold);
            return Some(Ref { inner });
        }
        loop {
            let found = self.inner.get(key).map(MapRef::new);
            if !is_on() {
                return found.map(|inner| Ref { inner });
            }
            if let Some(inner) = found {
                self.say(&CONTAINS, at, inner.key(), true);
                return Some(Ref { inner });
            }
            if self.absent(key, &CONTAINS, at) {
                return None;
            }
        }
    }

    /// Gives memory back.
    pub fn shrink_to_fit(&self) {
        self.inner.shrink_to_fit();
    }

    /// Keeps the elements that `f` wants, shard by shard.
    #[track_caller]
    pub fn retain(&self, mut f: impl FnMut(&K) -> bool) {
        let at = Location::caller();
        if let Some(explored) = self.explored(at) {
            return explored.retain(|k, ()| f(k));
        }
        self.inner.retain(|k, ()| self.decide(at, k, &mut f));
    }

    /// How many elements there are, shard by shard.
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
        self.retain(|_| false);
    }

    /// How many elements there is room for.
    pub fn capacity(&self) -> usize {
        self.inner.capacity()
    }

    /// Whether there is such an element.
    #[track_caller]
    pub fn contains<Q>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        if let Some(explored) = self.explored(Location::caller()) {
            return explored.contains_key(key);
        }
        self.get(key).is_some()
    }
}

/// See [`dashmap::setref::one::Ref`](original::setref::one::Ref).
pub struct Ref<'a, K> {
    inner: MapRef<'a, K, ()>,
}

impl<K: Eq + Hash> Ref<'_, K> {
    /// The element.
    pub fn key(&self) -> &K {
        self.inner.key()
    }
}

impl<K: Eq + Hash> Deref for Ref<'_, K> {
    type Target = K;

    fn deref(&self) -> &K {
        self.key()
    }
}

/// See [`dashmap::setref::multiple::RefMulti`](original::setref::multiple::RefMulti).
pub struct RefMulti<'a, K> {
    inner: MapRefMulti<'a, K, ()>,
}

impl<'a, K: Eq + Hash> RefMulti<'a, K> {
    pub(super) fn new(inner: MapRefMulti<'a, K, ()>) -> Self {
        RefMulti { inner }
    }

    /// The element.
    pub fn key(&self) -> &K {
        self.inner.key()
    }
}

impl<K: Eq + Hash> Deref for RefMulti<'_, K> {
    type Target = K;

    fn deref(&self) -> &K {
        self.key()
    }
}

/// See [`dashmap::iter_set::Iter`](original::iter_set::Iter).
pub struct Iter<'a, K, S, M> {
    inner: MapIter<'a, K, (), S>,
    tag: &'a Tag,
    at: At,
    map: PhantomData<M>,
}

impl<'a, K: Eq + Hash, S: 'a + BuildHasher + Clone, M> Iterator for Iter<'a, K, S, M> {
    type Item = RefMulti<'a, K>;

    fn next(&mut self) -> Option<Self::Item> {
        let inner = self.inner.advance()?;
        if is_on() {
            let args = [value_of(inner.key())];
            record(self.tag, &CONTAINS, self.at, &args, &[Raw::Bool(true)]);
        }
        Some(RefMulti::new(inner))
    }
}

/// See [`dashmap::iter_set::OwningIter`](original::iter_set::OwningIter).
pub struct OwningIter<K, S> {
    inner: MapOwningIter<K, (), S>,
}

impl<K: Eq + Hash, S: BuildHasher + Clone> Iterator for OwningIter<K, S> {
    type Item = K;

    fn next(&mut self) -> Option<K> {
        self.inner.next().map(|(key, ())| key)
    }
}

impl<K: Eq + Hash + Clone, S: BuildHasher + Clone> Clone for DashSet<K, S> {
    #[track_caller]
    fn clone(&self) -> Self {
        if explored::is_on(&self.tag) {
            let clone = Self::with_hasher(self.hasher().clone());
            for element in self.iter() {
                clone.insert(element.key().clone());
            }
            return clone;
        }
        let clone = Self::of(self.inner.clone());
        if is_on() {
            let at = Location::caller();
            for entry in &clone.inner {
                clone.say(&INSERT, at, entry.key(), true);
            }
        }
        clone
    }
}

impl<K, S> Default for DashSet<K, S>
where
    K: Eq + Hash,
    S: Default + BuildHasher + Clone,
{
    #[track_caller]
    fn default() -> Self {
        Self::with_hasher(S::default())
    }
}

impl<K: Eq + Hash + fmt::Debug, S: BuildHasher + Clone> fmt::Debug for DashSet<K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<K: Eq + Hash, S: BuildHasher + Clone> IntoIterator for DashSet<K, S> {
    type Item = K;
    type IntoIter = OwningIter<K, S>;

    fn into_iter(self) -> Self::IntoIter {
        OwningIter {
            inner: MapOwningIter::new(self.inner),
        }
    }
}

impl<K: Eq + Hash, S: BuildHasher + Clone> Extend<K> for DashSet<K, S> {
    #[track_caller]
    fn extend<I: IntoIterator<Item = K>>(&mut self, elements: I) {
        for element in elements {
            self.insert(element);
        }
    }
}

impl<K: Eq + Hash, S: BuildHasher + Clone + Default> FromIterator<K> for DashSet<K, S> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = K>>(elements: I) -> Self {
        let mut set = DashSet::default();
        set.extend(elements);
        set
    }
}
