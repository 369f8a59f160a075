//! The set.

use std::borrow::Borrow;
use std::ops::{Bound, RangeBounds};
use std::panic::Location;

use ::crossbeam_skiplist::set as original;
use commute_record::{Kind, Method, Raw, value_of};

pub use super::set_entry::Entry;
pub use super::set_iter::{Iter, Range};
pub use original::IntoIter;

use super::{INSERT, IS_EMPTY, LEN, REMOVE};
use crate::compose::offered;
use crate::explored;
use crate::turns::{At, Turn, Turns};

static SET: Kind = Kind::object("skipset", "hashset");
pub(super) static CONTAINS: Method = Method::new("contains");

/// As [`crossbeam_skiplist::SkipSet`](original::SkipSet).
pub struct SkipSet<T> {
    pub(super) inner: original::SkipSet<T>,
    pub(crate) turns: Turns,
}

pub(super) fn say<Q: ?Sized>(
    turn: Option<Turn<'_>>,
    method: &Method,
    at: At,
    key: &Q,
    result: bool,
) {
    if let Some(turn) = turn {
        turn.say(method, at, &[value_of(key)], &[Raw::Bool(result)]);
    }
}

impl<T> SkipSet<T> {
    /// The turns, of which others may have some, too.
    pub(super) fn turns(&self) -> &Turns {
        if explored::is_on(&self.turns.tag) {
            offered::looked_at(self, &self.turns.tag);
            offered::lends::<T>();
        }
        &self.turns
    }

    /// As the original's.
    #[track_caller]
    pub fn new() -> Self {
        SkipSet {
            inner: original::SkipSet::new(),
            turns: Turns::new(&SET),
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

    /// Finds an element, which is recorded as `method`; or that there is none at all.
    fn end<'a>(
        &'a self,
        find: impl FnOnce() -> Option<original::Entry<'a, T>>,
        method: &Method,
        at: At,
    ) -> Option<Entry<'a, T>> {
        let turn = self.turns().turn();
        match find() {
            Some(inner) => {
                say(turn, method, at, inner.value(), true);
                let turns = &self.turns;
                Some(Entry { inner, turns })
            }
            None => {
                if let Some(turn) = turn {
                    turn.say(&IS_EMPTY, at, &[], &[Raw::Bool(true)]);
                }
                None
            }
        }
    }
}

impl<T: Ord> SkipSet<T> {
    /// As the original's.
    #[track_caller]
    pub fn front(&self) -> Option<Entry<'_, T>> {
        self.end(|| self.inner.front(), &CONTAINS, Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn back(&self) -> Option<Entry<'_, T>> {
        self.end(|| self.inner.back(), &CONTAINS, Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn contains<Q>(&self, key: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Ord + ?Sized,
    {
        self.get(key).is_some()
    }

    /// As the original's.
    #[track_caller]
    pub fn get<Q>(&self, key: &Q) -> Option<Entry<'_, T>>
    where
        T: Borrow<Q>,
        Q: Ord + ?Sized,
    {
        let turn = self.turns().turn_of::<T, Q>(key);
        let found = self.inner.get(key);
        say(turn, &CONTAINS, Location::caller(), key, found.is_some());
        let turns = &self.turns;
        found.map(|inner| Entry { inner, turns })
    }

    /// As the original's.
    #[track_caller]
    pub fn lower_bound<'a, Q>(&'a self, bound: Bound<&Q>) -> Option<Entry<'a, T>>
    where
        T: Borrow<Q>,
        Q: Ord + ?Sized,
    {
        let turn = self.turns().turn();
        let inner = self.inner.lower_bound(bound)?;
        Some(Entry::seen(inner, &self.turns, turn, Location::caller()))
    }

    /// As the original's.
    #[track_caller]
    pub fn upper_bound<'a, Q>(&'a self, bound: Bound<&Q>) -> Option<Entry<'a, T>>
    where
        T: Borrow<Q>,
        Q: Ord + ?Sized,
    {
        let turn = self.turns().turn();
        let inner = self.inner.upper_bound(bound)?;
        Some(Entry::seen(inner, &self.turns, turn, Location::caller()))
    }

    /// As the original's.
    #[track_caller]
    pub fn get_or_insert(&self, key: T) -> Entry<'_, T> {
        let turn = self.turns().turn_of::<T, T>(&key);
        let is_new = turn.is_some() && !self.inner.contains(&key);
        let inner = self.inner.get_or_insert(key);
        say(turn, &INSERT, Location::caller(), inner.value(), is_new);
        let turns = &self.turns;
        Entry { inner, turns }
    }

    /// As the original's.
    #[track_caller]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter {
            inner: self.inner.iter(),
            turns: self.turns(),
            at: Location::caller(),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn range<Q, R>(&self, range: R) -> Range<'_, Q, R, T>
    where
        T: Borrow<Q>,
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

impl<T: Ord + Send + 'static> SkipSet<T> {
    /// The turns, where more is known of what others may do.
    fn turns_to_change(&self) -> &Turns {
        if explored::is_on(&self.turns.tag) {
            offered::changed::<Self, T, ()>(self, &self.turns.tag, true);
            offered::lends::<T>();
        }
        &self.turns
    }

    /// As the original's.
    #[track_caller]
    pub fn insert(&self, key: T) -> Entry<'_, T> {
        let turn = self.turns_to_change().turn_of::<T, T>(&key);
        let is_new = turn.is_some() && !self.inner.contains(&key);
        let inner = self.inner.insert(key);
        say(turn, &INSERT, Location::caller(), inner.value(), is_new);
        let turns = &self.turns;
        Entry { inner, turns }
    }

    /// As the original's.
    #[track_caller]
    pub fn remove<Q>(&self, key: &Q) -> Option<Entry<'_, T>>
    where
        T: Borrow<Q>,
        Q: Ord + ?Sized,
    {
        let turn = self.turns_to_change().turn_of::<T, Q>(key);
        let removed = self.inner.remove(key);
        say(turn, &REMOVE, Location::caller(), key, removed.is_some());
        let turns = &self.turns;
        removed.map(|inner| Entry { inner, turns })
    }

    /// As the original's.
    #[track_caller]
    pub fn pop_front(&self) -> Option<Entry<'_, T>> {
        self.turns_to_change();
        self.end(|| self.inner.pop_front(), &REMOVE, Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn pop_back(&self) -> Option<Entry<'_, T>> {
        self.turns_to_change();
        self.end(|| self.inner.pop_back(), &REMOVE, Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn clear(&self) {
        match self.turns.is_watched() {
            true => while self.pop_front().is_some() {},
            false => self.inner.clear(),
        }
    }
}
