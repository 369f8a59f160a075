//! Elements of a set.

use std::fmt;
use std::ops::Deref;
use std::panic::Location;

use ::crossbeam_skiplist::set as original;

use super::REMOVE;
use super::set::{CONTAINS, say};
use crate::turns::{At, Turn, Turns};

/// As [`crossbeam_skiplist::set::Entry`](original::Entry).
pub struct Entry<'a, T> {
    pub(super) inner: original::Entry<'a, T>,
    pub(super) turns: &'a Turns,
}

impl<'a, T> Entry<'a, T> {
    /// Records that it is there.
    pub(super) fn seen(
        inner: original::Entry<'a, T>,
        turns: &'a Turns,
        turn: Option<Turn<'_>>,
        at: At,
    ) -> Self {
        turns.note::<T, T>(inner.value());
        say(turn, &CONTAINS, at, inner.value(), true);
        Entry { inner, turns }
    }

    /// As the original's.
    pub fn value(&self) -> &T {
        self.inner.value()
    }

    /// As the original's.
    pub fn is_removed(&self) -> bool {
        self.turns.look();
        self.inner.is_removed()
    }
}

impl<'a, T: Ord> Entry<'a, T> {
    /// As the original's.
    #[track_caller]
    pub fn next(&self) -> Option<Entry<'a, T>> {
        let turn = self.turns.turn();
        let inner = self.inner.next()?;
        Some(Entry::seen(inner, self.turns, turn, Location::caller()))
    }

    /// As the original's.
    #[track_caller]
    pub fn prev(&self) -> Option<Entry<'a, T>> {
        let turn = self.turns.turn();
        let inner = self.inner.prev()?;
        Some(Entry::seen(inner, self.turns, turn, Location::caller()))
    }
}

impl<T: Ord + Send + 'static> Entry<'_, T> {
    /// As the original's. An entry that was removed already is no event.
    #[track_caller]
    pub fn remove(&self) -> bool {
        let turn = self.turns.turn();
        let removed = self.inner.remove();
        if removed {
            say(turn, &REMOVE, Location::caller(), self.value(), true);
        }
        removed
    }
}

impl<T> Deref for Entry<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value()
    }
}

impl<T: fmt::Debug> fmt::Debug for Entry<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}
