//! The map.

use std::borrow::Borrow;
use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::panic::Location;

use ::crossbeam_skiplist::map as original;
use commute_record::{Kind, Method, Raw, value_of};

pub use super::map_entry::{Entry, Iter, Range};
pub use original::IntoIter;

use super::{GET, IS_EMPTY, LEN};
use crate::compose::offered;
use crate::explored;
use crate::turns::{At, Turn, Turns};

static MAP: Kind = Kind::object("skipmap", "map");
static CONTAINS_KEY: Method = Method::new("contains_key");
static OR_INSERT: Method = Method::new("or_insert");

/// As [`crossbeam_skiplist::SkipMap`](original::SkipMap).
pub struct SkipMap<K, V> {
    pub(super) inner: original::SkipMap<K, V>,
    pub(crate) turns: Turns,
}

impl<K, V> SkipMap<K, V> {
    /// The turns, of which others may have some, too.
    pub(super) fn turns(&self) -> &Turns {
        if explored::is_on(&self.turns.tag) {
            offered::looked_at(self, &self.turns.tag);
            offered::lends::<(K, V)>();
        }
        &self.turns
    }

    /// As the original's.
    #[track_caller]
    pub fn new() -> Self {
        SkipMap {
            inner: original::SkipMap::new(),
            turns: Turns::new(&MAP),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        let turn = self.turns().turn();
        let is_empty = self.inner.is_empty();
        if let Some(turn) = turn {
            turn.say(&IS_EMPTY, Location::caller(), &[], &[Raw::Bool(is_empty)]);
        }
        is_empty
    }

    /// As the original's.
    #[track_caller]
    pub fn len(&self) -> usize {
        let turn = self.turns().turn();
        let len = self.inner.len();
        if let Some(turn) = turn {
            turn.say(&LEN, Location::caller(), &[], &[Raw::Int(len as i128)]);
        }
        len
    }

    pub(super) fn entry<'a>(&'a self, inner: original::Entry<'a, K, V>) -> Entry<'a, K, V> {
        Entry::new(inner, &self.turns)
    }

    /// The first or the last, or that there is none.
    fn end<'a>(
        &'a self,
        find: impl FnOnce() -> Option<original::Entry<'a, K, V>>,
        at: At,
    ) -> Option<Entry<'a, K, V>> {
        let turn = self.turns().turn();
        match find() {
            Some(inner) => Some(Entry::seen(inner, &self.turns, turn, at)),
            None => {
                if let Some(turn) = turn {
                    turn.say(&IS_EMPTY, at, &[], &[Raw::Bool(true)]);
                }
                None
            }
        }
    }
}

impl<K: Ord, V> SkipMap<K, V> {
    /// As the original's.
    #[track_caller]
    pub fn front(&self) -> Option<Entry<'_, K, V>> {
        self.end(|| self.inner.front(), Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn back(&self) -> Option<Entry<'_, K, V>> {
        self.end(|| self.inner.back(), Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn contains_key<Q>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Ord + ?Sized,
    {
        let turn = self.turns().turn_of::<K, Q>(key);
        let contains = self.inner.contains_key(key);
        if let Some(turn) = turn {
            let results = [Raw::Bool(contains)];
            turn.say(
                &CONTAINS_KEY,
                Location::caller(),
                &[value_of(key)],
                &results,
            );
        }
        contains
    }

    /// As the original's.
    #[track_caller]
    pub fn get<Q>(&self, key: &Q) -> Option<Entry<'_, K, V>>
    where
        K: Borrow<Q>,
        Q: Ord + ?Sized,
    {
        let turn = self.turns().turn_of::<K, Q>(key);
        let found = self.inner.get(key);
        if let Some(turn) = turn {
            let results = [found
                .as_ref()
                .map_or(Raw::Nil, |found| value_of(found.value()))];
            turn.say(&GET, Location::caller(), &[value_of(key)], &results);
        }
        found.map(|inner| self.entry(inner))
    }

    /// As the original's.
    #[track_caller]
    pub fn lower_bound<'a, Q>(&'a self, bound: Bound<&Q>) -> Option<Entry<'a, K, V>>
    where
        K: Borrow<Q>,
        Q: Ord + ?Sized,
    {
        let turn = self.turns().turn();
        let inner = self.inner.lower_bound(bound)?;
        Some(Entry::seen(inner, &self.turns, turn, Location::caller()))
    }

    /// As the original's.
    #[track_caller]
    pub fn upper_bound<'a, Q>(&'a self, bound: Bound<&Q>) -> Option<Entry<'a, K, V>>
    where
        K: Borrow<Q>,
        Q: Ord + ?Sized,
    {
        let turn = self.turns().turn();
        let inner = self.inner.upper_bound(bound)?;
        Some(Entry::seen(inner, &self.turns, turn, Location::caller()))
    }

    /// As the original's.
    #[track_caller]
    pub fn get_or_insert(&self, key: K, value: V) -> Entry<'_, K, V> {
        let turn = self.turns().turn_of::<K, K>(&key);
        self.or_insert(turn, key, value, Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn get_or_insert_with<F>(&self, key: K, value_fn: F) -> Entry<'_, K, V>
    where
        F: FnOnce() -> V,
    {
        if !self.turns.is_watched() {
            return self.entry(self.inner.get_or_insert_with(key, value_fn));
        }
        let at = Location::caller();
        let turn = self.turns().turn_of::<K, K>(&key);
        if let Some(inner) = self.inner.get(&key) {
            return Entry::seen(inner, &self.turns, turn, at);
        }
        drop(turn);
        // Between turns, because it may wait for others who use the map.
        let value = value_fn();
        self.or_insert(self.turns().turn(), key, value, at)
    }

    fn or_insert(&self, turn: Option<Turn<'_>>, key: K, value: V, at: At) -> Entry<'_, K, V> {
        let Some(turn) = turn else {
            return self.entry(self.inner.get_or_insert(key, value));
        };
        let is_new = !self.inner.contains_key(&key);
        let offered = value_of(&value).to_value();
        let inner = self.inner.get_or_insert(key, value);
        let results = [value_of(inner.value()), Raw::Bool(is_new)];
        let args = [value_of(inner.key()), Raw::Value(&offered)];
        turn.say(&OR_INSERT, at, &args, &results);
        drop(turn);
        self.entry(inner)
    }

    /// As the original's.
    #[track_caller]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter {
            inner: self.inner.iter(),
            turns: self.turns(),
            at: Location::caller(),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn range<Q, R>(&self, range: R) -> Range<'_, Q, R, K, V>
    where
        K: Borrow<Q>,
        R: RangeBounds<Q>,
        Q: Ord + ?Sized,
    {
        Range {
            inner: self.inner.range(range),
            turns: self.turns(),
            at: Location::caller(),
        }
    }
}

impl<K, V> Default for SkipMap<K, V> {
    #[track_caller]
    fn default() -> Self {
        SkipMap::new()
    }
}

impl<K: Ord + fmt::Debug, V: fmt::Debug> fmt::Debug for SkipMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.turns().look();
        self.inner.fmt(f)
    }
}

impl<K, V> IntoIterator for SkipMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> IntoIter<K, V> {
        self.inner.into_iter()
    }
}

impl<'a, K: Ord, V> IntoIterator for &'a SkipMap<K, V> {
    type Item = Entry<'a, K, V>;
    type IntoIter = Iter<'a, K, V>;

    #[track_caller]
    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SkipMap<K, V> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> Self {
        let map = SkipMap::new();
        for (key, value) in iter {
            map.get_or_insert(key, value);
        }
        map
    }
}
