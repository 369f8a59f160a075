//! Iterations over a set, and the other ways to make one.

use std::borrow::Borrow;
use std::fmt;
use std::ops::RangeBounds;

use ::crossbeam_skiplist::set as original;

use super::set::{Entry, SkipSet};
use crate::turns::{At, Turns};

/// As [`crossbeam_skiplist::set::Iter`](original::Iter).
pub struct Iter<'a, T> {
    pub(super) inner: original::Iter<'a, T>,
    pub(super) turns: &'a Turns,
    pub(super) at: At,
}

/// As [`crossbeam_skiplist::set::Range`](original::Range).
pub struct Range<'a, Q, R, T>
where
    T: Ord + Borrow<Q>,
    R: RangeBounds<Q>,
    Q: Ord + ?Sized,
{
    pub(super) inner: original::Range<'a, Q, R, T>,
    pub(super) turns: &'a Turns,
    pub(super) at: At,
}

impl<'a, T: Ord> Iterator for Iter<'a, T> {
    type Item = Entry<'a, T>;

    fn next(&mut self) -> Option<Self::Item> {
        let turn = self.turns.turn();
        let inner = self.inner.next()?;
        Some(Entry::seen(inner, self.turns, turn, self.at))
    }
}

impl<T: Ord> DoubleEndedIterator for Iter<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let turn = self.turns.turn();
        let inner = self.inner.next_back()?;
        Some(Entry::seen(inner, self.turns, turn, self.at))
    }
}

impl<'a, Q, R, T> Iterator for Range<'a, Q, R, T>
where
    T: Ord + Borrow<Q>,
    R: RangeBounds<Q>,
    Q: Ord + ?Sized,
{
    type Item = Entry<'a, T>;

    fn next(&mut self) -> Option<Self::Item> {
        let turn = self.turns.turn();
        let inner = self.inner.next()?;
        Some(Entry::seen(inner, self.turns, turn, self.at))
    }
}

impl<Q, R, T> DoubleEndedIterator for Range<'_, Q, R, T>
where
    T: Ord + Borrow<Q>,
    R: RangeBounds<Q>,
    Q: Ord + ?Sized,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        let turn = self.turns.turn();
        let inner = self.inner.next_back()?;
        Some(Entry::seen(inner, self.turns, turn, self.at))
    }
}

impl<T> Default for SkipSet<T> {
    #[track_caller]
    fn default() -> Self {
        SkipSet::new()
    }
}

impl<T: Ord + fmt::Debug> fmt::Debug for SkipSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.turns().look();
        self.inner.fmt(f)
    }
}

impl<T> IntoIterator for SkipSet<T> {
    type Item = T;
    type IntoIter = original::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.inner.into_iter()
    }
}

impl<'a, T: Ord> IntoIterator for &'a SkipSet<T> {
    type Item = Entry<'a, T>;
    type IntoIter = Iter<'a, T>;

    #[track_caller]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T: Ord> FromIterator<T> for SkipSet<T> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        let set = SkipSet::new();
        for key in iter {
            set.get_or_insert(key);
        }
        set
    }
}
