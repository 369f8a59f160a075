//! Iterations. What is recorded is read when they begin: later it may be gone.

use std::fmt;
use std::vec;

use ::papaya as original;
use original::Guard;

/// As [`papaya::Iter`](original::Iter).
pub struct Iter<'g, K, V, G> {
    of: Of<'g, K, V, G>,
}

enum Of<'g, K, V, G> {
    Original(original::Iter<'g, K, V, G>),
    Read(vec::IntoIter<(&'g K, &'g V)>),
}

impl<'g, K, V, G: Guard> Iter<'g, K, V, G> {
    pub(super) fn of(inner: original::Iter<'g, K, V, G>) -> Self {
        let of = Of::Original(inner);
        Iter { of }
    }

    pub(super) fn read(entries: Vec<(&'g K, &'g V)>) -> Self {
        let of = Of::Read(entries.into_iter());
        Iter { of }
    }
}

impl<'g, K: 'g, V: 'g, G: Guard> Iterator for Iter<'g, K, V, G> {
    type Item = (&'g K, &'g V);

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.of {
            Of::Original(inner) => inner.next(),
            Of::Read(entries) => entries.next(),
        }
    }
}

impl<K, V, G> fmt::Debug for Iter<'_, K, V, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Iter").finish_non_exhaustive()
    }
}

/// As [`papaya::Keys`](original::Keys).
#[derive(Debug)]
pub struct Keys<'g, K, V, G>(pub(super) Iter<'g, K, V, G>);

impl<'g, K: 'g, V: 'g, G: Guard> Iterator for Keys<'g, K, V, G> {
    type Item = &'g K;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, _)| key)
    }
}

/// As [`papaya::Values`](original::Values).
#[derive(Debug)]
pub struct Values<'g, K, V, G>(pub(super) Iter<'g, K, V, G>);

impl<'g, K: 'g, V: 'g, G: Guard> Iterator for Values<'g, K, V, G> {
    type Item = &'g V;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(_, value)| value)
    }
}
