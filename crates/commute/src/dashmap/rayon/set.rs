//! Of sets.

use std::hash::{BuildHasher, Hash};

use ::dashmap as original;
use commute_record::{Raw, Tag, is_on, value_of};
use rayon::iter::plumbing::UnindexedConsumer;
use rayon::iter::{FromParallelIterator, IntoParallelIterator, ParallelExtend, ParallelIterator};

use crate::dashmap::DashSet;
use crate::dashmap::mapref::multiple::RefMulti as MapRefMulti;
use crate::dashmap::recording::{At, CONTAINS, record};
use crate::dashmap::setref::multiple::RefMulti;

/// As [`dashmap::rayon::set::OwningIter`](original::rayon::set::OwningIter).
pub struct OwningIter<K> {
    inner: original::rayon::map::OwningIter<K, ()>,
}

/// As [`dashmap::rayon::set::Iter`](original::rayon::set::Iter).
pub struct Iter<'a, K> {
    inner: original::rayon::map::Iter<'a, K, ()>,
    tag: &'a Tag,
    at: At,
}

impl<K: Send + Eq + Hash> ParallelIterator for OwningIter<K> {
    type Item = K;

    fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
        self.inner.map(|(key, ())| key).drive_unindexed(consumer)
    }
}

impl<'a, K: Send + Sync + Eq + Hash> ParallelIterator for Iter<'a, K> {
    type Item = RefMulti<'a, K>;

    fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
        let Iter { inner, tag, at } = self;
        let seen = inner.map(|entry| {
            if is_on() {
                let key = [value_of(entry.key())];
                record(tag, &CONTAINS, at, &key, &[Raw::Bool(true)]);
            }
            RefMulti::new(MapRefMulti::new(entry))
        });
        seen.drive_unindexed(consumer)
    }
}

impl<K, S> IntoParallelIterator for DashSet<K, S>
where
    K: Send + Eq + Hash,
    S: Send + Clone + BuildHasher,
{
    type Iter = OwningIter<K>;
    type Item = K;

    fn into_par_iter(self) -> Self::Iter {
        let inner = self.inner.into_par_iter();
        OwningIter { inner }
    }
}

impl<'a, K, S> IntoParallelIterator for &'a DashSet<K, S>
where
    K: Send + Sync + Eq + Hash,
    S: Send + Sync + Clone + BuildHasher,
{
    type Iter = Iter<'a, K>;
    type Item = RefMulti<'a, K>;

    /// Recorded where the set was made: `par_iter` does not know its caller.
    fn into_par_iter(self) -> Self::Iter {
        crate::explored::unseen("what rayon's threads do");
        Iter {
            inner: (&self.inner).into_par_iter(),
            tag: &self.tag,
            at: self.tag.created(),
        }
    }
}

impl<K, S> ParallelExtend<K> for DashSet<K, S>
where
    K: Send + Sync + Eq + Hash,
    S: Send + Sync + Clone + BuildHasher,
{
    fn par_extend<I: IntoParallelIterator<Item = K>>(&mut self, par_iter: I) {
        (&*self).par_extend(par_iter);
    }
}

impl<K, S> ParallelExtend<K> for &DashSet<K, S>
where
    K: Send + Sync + Eq + Hash,
    S: Send + Sync + Clone + BuildHasher,
{
    fn par_extend<I: IntoParallelIterator<Item = K>>(&mut self, par_iter: I) {
        let (set, at) = (*self, self.tag.created());
        par_iter.into_par_iter().for_each(|key| {
            set.insert_at(key, at);
        });
    }
}

impl<K, S> FromParallelIterator<K> for DashSet<K, S>
where
    K: Send + Sync + Eq + Hash,
    S: Send + Sync + Clone + Default + BuildHasher,
{
    fn from_par_iter<I: IntoParallelIterator<Item = K>>(par_iter: I) -> Self {
        let set = Self::default();
        (&set).par_extend(par_iter);
        set
    }
}
