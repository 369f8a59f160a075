//! Iterations over maps.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::sync::Arc;

use ::dashmap::iter as original;
use commute_explore::models::Values;
use commute_record::{Tag, is_on, value_of};

use super::DashMap;
use super::explored::{Explored, Next, Real};
use super::multiple::{RefMulti, RefMutMulti};
use super::recording::{At, GET, Held, record};
use super::spread::Spread;
use crate::explored::keyed::{Hold, values_of};

/// See [`dashmap::iter::Iter`](original::Iter).
pub struct Iter<'a, K, V, S = RandomState, M = DashMap<K, V, S>> {
    inner: original::Iter<'a, K, V, Spread<S>>,
    whole: &'a Real<K, V, S>,
    tag: &'a Tag,
    at: At,
    values: Values,
    /// In a test that is explored: the guard of the entry that it is at.
    current: Option<Arc<Hold<'a>>>,
    map: PhantomData<M>,
}

impl<'a, K: Eq + Hash, V, S: BuildHasher + Clone, M> Iter<'a, K, V, S, M> {
    pub(super) fn new(whole: &'a Real<K, V, S>, tag: &'a Tag, at: At, values: Values) -> Self {
        Iter {
            inner: whole.iter(),
            whole,
            tag,
            at,
            values,
            current: None,
            map: PhantomData,
        }
    }

    /// Without a record.
    pub(super) fn advance(&mut self) -> Option<RefMulti<'a, K, V>> {
        if crate::explored::is_on(self.tag) {
            let explored = Explored {
                real: self.whole,
                tag: self.tag,
                at: self.at,
                values: self.values,
            };
            match explored.next(self.current.as_ref()) {
                Next::Through => {}
                Next::End => {
                    self.current = None;
                    return None;
                }
                Next::At(entry, hold) => {
                    // The guard before is given back when there is the next.
                    self.current = Some(Arc::clone(&hold));
                    return Some(RefMulti::explored(entry, hold));
                }
            }
        }
        self.inner.next().map(RefMulti::new)
    }
}

impl<K: Clone + Hash + Eq, V: Clone, S: Clone + BuildHasher> Clone for Iter<'_, K, V, S> {
    fn clone(&self) -> Self {
        Iter::new(self.whole, self.tag, self.at, self.values)
    }
}

impl<'a, K: Eq + Hash, V, S: 'a + BuildHasher + Clone, M> Iterator for Iter<'a, K, V, S, M> {
    type Item = RefMulti<'a, K, V>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance()?;
        if is_on() {
            let args = [value_of(next.key())];
            record(self.tag, &GET, self.at, &args, &[value_of(next.value())]);
        }
        Some(next)
    }
}

/// See [`dashmap::iter::IterMut`](original::IterMut).
pub struct IterMut<'a, K, V, S = RandomState, M = DashMap<K, V, S>> {
    inner: original::IterMut<'a, K, V, Spread<S>>,
    whole: &'a Real<K, V, S>,
    tag: &'a Tag,
    at: At,
    /// As for [`Iter`].
    current: Option<Arc<Hold<'a>>>,
    map: PhantomData<M>,
}

impl<'a, K: Eq + Hash, V, S: BuildHasher + Clone, M> IterMut<'a, K, V, S, M> {
    pub(super) fn new(whole: &'a Real<K, V, S>, tag: &'a Tag, at: At) -> Self {
        IterMut {
            inner: whole.iter_mut(),
            whole,
            tag,
            at,
            current: None,
            map: PhantomData,
        }
    }
}

impl<'a, K: Eq + Hash, V, S: 'a + BuildHasher + Clone, M> Iterator for IterMut<'a, K, V, S, M> {
    type Item = RefMutMulti<'a, K, V>;

    fn next(&mut self) -> Option<Self::Item> {
        if crate::explored::is_on(self.tag) {
            let explored = Explored {
                real: self.whole,
                tag: self.tag,
                at: self.at,
                values: values_of::<V>(),
            };
            match explored.next_mut(self.current.as_ref()) {
                Next::Through => {}
                Next::End => {
                    self.current = None;
                    return None;
                }
                Next::At(entry, hold) => {
                    self.current = Some(Arc::clone(&hold));
                    let before = value_of(entry.pair().1).to_value();
                    let held = Held::explored(self.tag, self.at, before, hold);
                    return Some(RefMutMulti::explored(entry, held));
                }
            }
        }
        let next = self.inner.next()?;
        let held = Held::new(self.tag, self.at, Some(value_of(next.value())));
        Some(RefMutMulti::new(next, held))
    }
}

/// See [`dashmap::iter::OwningIter`](original::OwningIter).
pub struct OwningIter<K, V, S = RandomState>(original::OwningIter<K, V, Spread<S>>);

impl<K: Eq + Hash, V, S: BuildHasher + Clone> OwningIter<K, V, S> {
    pub(super) fn new(map: Real<K, V, S>) -> Self {
        OwningIter(map.into_iter())
    }
}

impl<K: Eq + Hash, V, S: BuildHasher + Clone> Iterator for OwningIter<K, V, S> {
    type Item = (K, V);

    fn next(&mut self) -> Option<(K, V)> {
        self.0.next()
    }
}
