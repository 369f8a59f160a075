//! What changes a map.

use std::borrow::Borrow;
use std::panic::Location;

use ::crossbeam_skiplist::map as original;
use commute_record::{Raw, value_of};

use super::map::{Entry, SkipMap};
use super::{INSERT, IS_EMPTY, REMOVE};
use crate::compose::offered;
use crate::explored;
use crate::turns::{At, Turn, Turns};

impl<K: Ord + Send + 'static, V: Send + 'static> SkipMap<K, V> {
    /// The turns, where more is known of what others may do.
    fn turns_to_change(&self) -> &Turns {
        if explored::is_on(&self.turns.tag) {
            offered::changed::<Self, K, V>(self, &self.turns.tag, false);
            offered::lends::<(K, V)>();
        }
        &self.turns
    }

    /// As the original's.
    #[track_caller]
    pub fn insert(&self, key: K, value: V) -> Entry<'_, K, V> {
        let turn = self.turns_to_change().turn_of::<K, K>(&key);
        self.insert_at(turn, key, value, Location::caller())
    }

    fn insert_at(&self, turn: Option<Turn<'_>>, key: K, value: V, at: At) -> Entry<'_, K, V> {
        let Some(turn) = turn else {
            return self.entry(self.inner.insert(key, value));
        };
        let before = self.inner.get(&key);
        let inner = self.inner.insert(key, value);
        let args = [value_of(inner.key()), value_of(inner.value())];
        let results = [before
            .as_ref()
            .map_or(Raw::Nil, |before| value_of(before.value()))];
        turn.say(&INSERT, at, &args, &results);
        drop(turn);
        self.entry(inner)
    }

    /// As the original's.
    #[track_caller]
    pub fn compare_insert<F>(&self, key: K, value: V, compare_fn: F) -> Entry<'_, K, V>
    where
        F: Fn(&V) -> bool,
    {
        if !self.turns.is_watched() {
            return self.entry(self.inner.compare_insert(key, value, compare_fn));
        }
        let at = Location::caller();
        loop {
            let turn = self.turns_to_change().turn_of::<K, K>(&key);
            let Some(found) = self.inner.get(&key) else {
                return self.insert_at(turn, key, value, at);
            };
            drop(turn);
            // Between turns, because it may wait for others who use the map.
            let goes = compare_fn(found.value());
            let turn = self.turns_to_change().turn();
            match (found.is_removed(), goes) {
                (true, _) => {}
                (false, true) => return self.insert_at(turn, key, value, at),
                (false, false) => return Entry::seen(found, &self.turns, turn, at),
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn remove<Q>(&self, key: &Q) -> Option<Entry<'_, K, V>>
    where
        K: Borrow<Q>,
        Q: Ord + ?Sized,
    {
        let turn = self.turns_to_change().turn_of::<K, Q>(key);
        let removed = self.inner.remove(key);
        if let Some(turn) = turn {
            let results = [removed
                .as_ref()
                .map_or(Raw::Nil, |entry| value_of(entry.value()))];
            turn.say(&REMOVE, Location::caller(), &[value_of(key)], &results);
        }
        removed.map(|inner| self.entry(inner))
    }

    /// As the original's.
    #[track_caller]
    pub fn pop_front(&self) -> Option<Entry<'_, K, V>> {
        self.pop(|| self.inner.pop_front(), Location::caller())
    }

    /// As the original's.
    #[track_caller]
    pub fn pop_back(&self) -> Option<Entry<'_, K, V>> {
        self.pop(|| self.inner.pop_back(), Location::caller())
    }

    fn pop<'a>(
        &'a self,
        pop: impl FnOnce() -> Option<original::Entry<'a, K, V>>,
        at: At,
    ) -> Option<Entry<'a, K, V>> {
        let turn = self.turns_to_change().turn();
        let popped = pop();
        match (turn, &popped) {
            (Some(turn), Some(entry)) => {
                let results = [value_of(entry.value())];
                turn.say(&REMOVE, at, &[value_of(entry.key())], &results);
            }
            (Some(turn), None) => turn.say(&IS_EMPTY, at, &[], &[Raw::Bool(true)]),
            (None, _) => {}
        }
        popped.map(|inner| self.entry(inner))
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
