//! Iterations over maps.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use ::dashmap::iter as original;
use ::dashmap::mapref::multiple::RefMulti;
use commute_record::{Tag, is_on, value_of};

use super::DashMap;
use super::multiple::RefMutMulti;
use super::recording::{At, GET, Held, record};

pub use original::OwningIter;

/// See [`dashmap::iter::Iter`](original::Iter).
pub struct Iter<'a, K, V, S = RandomState, M = DashMap<K, V, S>> {
    pub(super) inner: original::Iter<'a, K, V, S>,
    pub(super) tag: &'a Tag,
    pub(super) at: At,
    pub(super) map: PhantomData<M>,
}

impl<K: Clone + Hash + Eq, V: Clone, S: Clone + BuildHasher> Clone for Iter<'_, K, V, S> {
    fn clone(&self) -> Self {
        let (tag, at, map) = (self.tag, self.at, PhantomData);
        let inner = self.inner.clone();
        Iter {
            inner,
            tag,
            at,
            map,
        }
    }
}

impl<'a, K: Eq + Hash, V, S: 'a + BuildHasher + Clone, M> Iterator for Iter<'a, K, V, S, M> {
    type Item = RefMulti<'a, K, V>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.inner.next()?;
        if is_on() {
            let args = [value_of(next.key())];
            record(self.tag, &GET, self.at, &args, &[value_of(next.value())]);
        }
        Some(next)
    }
}

/// See [`dashmap::iter::IterMut`](original::IterMut).
pub struct IterMut<'a, K, V, S = RandomState, M = DashMap<K, V, S>> {
    pub(super) inner: original::IterMut<'a, K, V, S>,
    pub(super) tag: &'a Tag,
    pub(super) at: At,
    pub(super) map: PhantomData<M>,
}

impl<'a, K: Eq + Hash, V, S: 'a + BuildHasher + Clone, M> Iterator for IterMut<'a, K, V, S, M> {
    type Item = RefMutMulti<'a, K, V>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.inner.next()?;
        let held = Held::new(self.tag, self.at, Some(value_of(next.value())));
        Some(RefMutMulti::new(next, held))
    }
}
