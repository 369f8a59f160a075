//! Entries of a map, and iterations that give them out.

use std::borrow::Borrow;
use std::fmt;
use std::ops::RangeBounds;
use std::panic::Location;

use ::crossbeam_skiplist::map as original;
use commute_record::value_of;

use super::{GET, REMOVE};
use crate::turns::{At, Turn, Turns};

/// As [`crossbeam_skiplist::map::Entry`](original::Entry).
pub struct Entry<'a, K, V> {
    pub(super) inner: original::Entry<'a, K, V>,
    turns: &'a Turns,
}

impl<'a, K, V> Entry<'a, K, V> {
    pub(super) fn new(inner: original::Entry<'a, K, V>, turns: &'a Turns) -> Self {
        Entry { inner, turns }
    }

    /// Records that it is there.
    pub(super) fn seen(
        inner: original::Entry<'a, K, V>,
        turns: &'a Turns,
        turn: Option<Turn<'_>>,
        at: At,
    ) -> Self {
        turns.note::<K, K>(inner.key());
        if let Some(turn) = turn {
            let results = [value_of(inner.value())];
            turn.say(&GET, at, &[value_of(inner.key())], &results);
        }
        Entry { inner, turns }
    }

    /// As the original's.
    pub fn key(&self) -> &K {
        self.inner.key()
    }

    /// As the original's.
    pub fn value(&self) -> &V {
        self.inner.value()
    }

    /// As the original's.
    pub fn is_removed(&self) -> bool {
        self.turns.look();
        self.inner.is_removed()
    }
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    /// As the original's.
    #[track_caller]
    pub fn move_next(&mut self) -> bool {
        let next = self.next();
        next.map(|next| *self = next).is_some()
    }

    /// As the original's.
    #[track_caller]
    pub fn move_prev(&mut self) -> bool {
        let prev = self.prev();
        prev.map(|prev| *self = prev).is_some()
    }

    /// As the original's.
    #[track_caller]
    pub fn next(&self) -> Option<Entry<'a, K, V>> {
        let turn = self.turns.turn();
        let inner = self.inner.next()?;
        Some(Entry::seen(inner, self.turns, turn, Location::caller()))
    }

    /// As the original's.
    #[track_caller]
    pub fn prev(&self) -> Option<Entry<'a, K, V>> {
        let turn = self.turns.turn();
        let inner = self.inner.prev()?;
        Some(Entry::seen(inner, self.turns, turn, Location::caller()))
    }
}

impl<K: Ord + Send + 'static, V: Send + 'static> Entry<'_, K, V> {
    /// As the original's. An entry that was removed already is no event.
    #[track_caller]
    pub fn remove(&self) -> bool {
        let turn = self.turns.turn();
        let removed = self.inner.remove();
        if let Some(turn) = turn
            && removed
        {
            let results = [value_of(self.value())];
            turn.say(
                &REMOVE,
                Location::caller(),
                &[value_of(self.key())],
                &results,
            );
        }
        removed
    }
}

impl<K, V> Clone for Entry<'_, K, V> {
    fn clone(&self) -> Self {
        Entry::new(self.inner.clone(), self.turns)
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Entry<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

/// As [`crossbeam_skiplist::map::Iter`](original::Iter).
pub struct Iter<'a, K, V> {
    pub(super) inner: original::Iter<'a, K, V>,
    pub(super) turns: &'a Turns,
    pub(super) at: At,
}

/// As [`crossbeam_skiplist::map::Range`](original::Range).
pub struct Range<'a, Q, R, K, V>
where
    K: Ord + Borrow<Q>,
    R: RangeBounds<Q>,
    Q: Ord + ?Sized,
{
    pub(super) inner: original::Range<'a, Q, R, K, V>,
    pub(super) turns: &'a Turns,
    pub(super) at: At,
}

impl<'a, K: Ord, V> Iterator for Iter<'a, K, V> {
    type Item = Entry<'a, K, V>;

    fn next(&mut self) -> Option<Self::Item> {
        let turn = self.turns.turn();
        let inner = self.inner.next()?;
        Some(Entry::seen(inner, self.turns, turn, self.at))
    }
}

impl<K: Ord, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let turn = self.turns.turn();
        let inner = self.inner.next_back()?;
        Some(Entry::seen(inner, self.turns, turn, self.at))
    }
}

impl<'a, Q, R, K, V> Iterator for Range<'a, Q, R, K, V>
where
    K: Ord + Borrow<Q>,
    R: RangeBounds<Q>,
    Q: Ord + ?Sized,
{
    type Item = Entry<'a, K, V>;

    fn next(&mut self) -> Option<Self::Item> {
        let turn = self.turns.turn();
        let inner = self.inner.next()?;
        Some(Entry::seen(inner, self.turns, turn, self.at))
    }
}

impl<Q, R, K, V> DoubleEndedIterator for Range<'_, Q, R, K, V>
where
    K: Ord + Borrow<Q>,
    R: RangeBounds<Q>,
    Q: Ord + ?Sized,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        let turn = self.turns.turn();
        let inner = self.inner.next_back()?;
        Some(Entry::seen(inner, self.turns, turn, self.at))
    }
}

impl<K, V> fmt::Debug for Iter<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Iter { .. }")
    }
}
