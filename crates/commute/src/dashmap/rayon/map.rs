//! Of maps.

use std::hash::{BuildHasher, Hash};
use std::panic::Location;

use ::dashmap as original;
use commute_record::{Tag, is_on, value_of};
use rayon::iter::plumbing::UnindexedConsumer;
use rayon::iter::{FromParallelIterator, IntoParallelIterator, ParallelExtend, ParallelIterator};

use crate::dashmap::DashMap;
use crate::dashmap::mapref::multiple::{RefMulti, RefMutMulti};
use crate::dashmap::recording::{At, GET, Held, record};

pub use original::rayon::map::OwningIter;

/// As [`dashmap::rayon::map::Iter`](original::rayon::map::Iter).
pub struct Iter<'a, K, V> {
    inner: original::rayon::map::Iter<'a, K, V>,
    tag: &'a Tag,
    at: At,
}

/// As [`dashmap::rayon::map::IterMut`](original::rayon::map::IterMut).
pub struct IterMut<'a, K, V> {
    inner: original::rayon::map::IterMut<'a, K, V>,
    tag: &'a Tag,
    at: At,
}

impl<'a, K, V> ParallelIterator for Iter<'a, K, V>
where
    K: Send + Sync + Eq + Hash,
    V: Send + Sync,
{
    type Item = RefMulti<'a, K, V>;

    fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
        let Iter { inner, tag, at } = self;
        let seen = inner.map(|entry| {
            if is_on() {
                let (key, value) = entry.pair();
                record(tag, &GET, at, &[value_of(key)], &[value_of(value)]);
            }
            RefMulti::new(entry)
        });
        seen.drive_unindexed(consumer)
    }
}

impl<'a, K, V> ParallelIterator for IterMut<'a, K, V>
where
    K: Send + Sync + Eq + Hash,
    V: Send + Sync,
{
    type Item = RefMutMulti<'a, K, V>;

    fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
        let IterMut { inner, tag, at } = self;
        let held = inner.map(|entry| {
            let held = Held::new(tag, at, is_on().then(|| value_of(entry.value())));
            RefMutMulti::new(entry, held)
        });
        held.drive_unindexed(consumer)
    }
}

impl<K, V, S> IntoParallelIterator for DashMap<K, V, S>
where
    K: Send + Eq + Hash,
    V: Send,
    S: Send + Clone + BuildHasher,
{
    type Iter = OwningIter<K, V>;
    type Item = (K, V);

    fn into_par_iter(self) -> Self::Iter {
        self.inner.into_par_iter()
    }
}

impl<'a, K, V, S> IntoParallelIterator for &'a DashMap<K, V, S>
where
    K: Send + Sync + Eq + Hash,
    V: Send + Sync,
    S: Send + Sync + Clone + BuildHasher,
{
    type Iter = Iter<'a, K, V>;
    type Item = RefMulti<'a, K, V>;

    /// Recorded where the map was made if it is `par_iter`, which does not know its
    /// caller.
    fn into_par_iter(self) -> Self::Iter {
        crate::explored::unseen("what rayon's threads do");
        Iter {
            inner: (&self.inner).into_par_iter(),
            tag: &self.tag,
            at: self.tag.created(),
        }
    }
}

impl<'a, K, V> IntoParallelIterator for &'a mut DashMap<K, V>
where
    K: Send + Sync + Eq + Hash,
    V: Send + Sync,
{
    type Iter = IterMut<'a, K, V>;
    type Item = RefMutMulti<'a, K, V>;

    fn into_par_iter(self) -> Self::Iter {
        (*self).par_iter_mut()
    }
}

impl<K, V, S> DashMap<K, V, S>
where
    K: Send + Sync + Eq + Hash,
    V: Send + Sync,
{
    /// As the original's.
    #[track_caller]
    pub fn par_iter_mut(&self) -> IterMut<'_, K, V> {
        crate::explored::unseen("what rayon's threads do");
        IterMut {
            inner: self.inner.par_iter_mut(),
            tag: &self.tag,
            at: Location::caller(),
        }
    }
}

impl<K, V, S> ParallelExtend<(K, V)> for DashMap<K, V, S>
where
    K: Send + Sync + Eq + Hash,
    V: Send + Sync,
    S: Send + Sync + Clone + BuildHasher,
{
    fn par_extend<I: IntoParallelIterator<Item = (K, V)>>(&mut self, par_iter: I) {
        (&*self).par_extend(par_iter);
    }
}

impl<K, V, S> ParallelExtend<(K, V)> for &DashMap<K, V, S>
where
    K: Send + Sync + Eq + Hash,
    V: Send + Sync,
    S: Send + Sync + Clone + BuildHasher,
{
    fn par_extend<I: IntoParallelIterator<Item = (K, V)>>(&mut self, par_iter: I) {
        let (map, at) = (*self, self.tag.created());
        let insert = |(key, value)| drop(map.insert_at(key, value, at));
        par_iter.into_par_iter().for_each(insert);
    }
}

impl<K, V, S> FromParallelIterator<(K, V)> for DashMap<K, V, S>
where
    K: Send + Sync + Eq + Hash,
    V: Send + Sync,
    S: Send + Sync + Clone + Default + BuildHasher,
{
    fn from_par_iter<I: IntoParallelIterator<Item = (K, V)>>(par_iter: I) -> Self {
        let map = Self::default();
        (&map).par_extend(par_iter);
        map
    }
}
