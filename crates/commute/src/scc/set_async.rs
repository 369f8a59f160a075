//! What is done to a set without blocking the thread. Functions that return futures,
//! because an `async fn` does not know its caller.

use std::future::Future;
use std::hash::{BuildHasher, Hash};
use std::panic::Location;

use ::scc::Equivalent;

use super::set::{HashSet, Replaced};
use super::set_entry::{ConsumableEntry, OccupiedEntry};
use super::whole::retain;
use crate::keyed::{CONTAINS, REMOVE};

impl<K: Eq + Hash, H: BuildHasher> HashSet<K, H> {
    /// As the original's.
    #[track_caller]
    pub fn insert_async(&self, key: K) -> impl Future<Output = Result<(), K>> {
        let at = Location::caller();
        async move {
            if let Some(set) = self.explored(at) {
                return set.insert(key, ()).map_err(|(key, ())| key);
            }
            // As in `insert_sync`.
            if let Some(entry) = self.inner.get_async(&key).await {
                self.refuse(&key, at);
                drop(entry);
                return Err(key);
            }
            match self.replaced(self.inner.replace_async(key).await, at) {
                Replaced::New => Ok(()),
                Replaced::Old(other) => Err(match self.inner.replace_async(other).await {
                    ::scc::hash_map::ReplaceResult::Replaced(_, key) => key,
                    ::scc::hash_map::ReplaceResult::NotReplaced(entry) => entry.into_key(),
                }),
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn replace_async(&self, key: K) -> impl Future<Output = Option<K>> {
        let at = Location::caller();
        async move {
            if let Some(set) = self.explored(at) {
                return set.upsert(key, (), false).map(|(before, ())| before);
            }
            match self.replaced(self.inner.replace_async(key).await, at) {
                Replaced::New => None,
                Replaced::Old(key) => Some(key),
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn remove_async<Q>(&self, key: &Q) -> impl Future<Output = Option<K>>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        let removed = self.remove_if_async(key, || true);
        async move {
            match self.explored(at) {
                Some(set) => set.remove(key).map(|(key, ())| key),
                None => removed.await,
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn remove_if_async<Q, F: FnOnce() -> bool>(
        &self,
        key: &Q,
        condition: F,
    ) -> impl Future<Output = Option<K>>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        async move {
            if let Some(set) = self.explored(at) {
                let removed = set.remove_if(key, |()| condition());
                return removed.map(|(key, ())| key);
            }
            let mut condition = Some(condition);
            loop {
                let since = self.seen.now();
                let decide = |(): &mut ()| {
                    let goes = condition.take().is_some_and(|condition| condition());
                    self.say(if goes { &REMOVE } else { &CONTAINS }, at, key, true);
                    goes
                };
                let removed = self.inner.remove_if_async(key, decide).await;
                if condition.is_none() || self.absent(since, &REMOVE, at, key) {
                    return removed.map(|(key, ())| key);
                }
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn read_async<Q, R, F: FnOnce(&K) -> R>(
        &self,
        key: &Q,
        reader: F,
    ) -> impl Future<Output = Option<R>>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        async move {
            if let Some(set) = self.explored(at) {
                return set.read(key, |k, ()| reader(k));
            }
            let mut reader = Some(reader);
            loop {
                let since = self.seen.now();
                let read = |k: &K, (): &()| {
                    self.say(&CONTAINS, at, k, true);
                    reader.take().map(|reader| reader(k))
                };
                let read = self.inner.read_async(key, read).await;
                if read.is_some() || self.absent(since, &CONTAINS, at, key) {
                    return read.flatten();
                }
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn contains_async<Q>(&self, key: &Q) -> impl Future<Output = bool>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        let read = self.read_async(key, |_| ());
        async move {
            match self.explored(at) {
                Some(set) => set.contains(key),
                None => read.await.is_some(),
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn begin_async(&self) -> impl Future<Output = Option<OccupiedEntry<'_, K, H>>> {
        self.any_async(|_| true)
    }

    /// As the original's.
    #[track_caller]
    pub fn any_async<P: FnMut(&K) -> bool>(
        &self,
        mut pred: P,
    ) -> impl Future<Output = Option<OccupiedEntry<'_, K, H>>> {
        let at = Location::caller();
        async move {
            if let Some(set) = self.explored(at) {
                let found = set.any(None, |k, ()| pred(k))?;
                return Some(OccupiedEntry::explored(set, found, &self.seen, at));
            }
            let pred = |k: &K, (): &()| self.decides(&mut pred, k, at);
            let inner = self.inner.any_async(pred).await?;
            Some(OccupiedEntry::new(inner, &self.seen, at))
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn iter_async<F: FnMut(&K) -> bool>(&self, mut f: F) -> impl Future<Output = bool> {
        let at = Location::caller();
        async move {
            if let Some(set) = self.explored(at) {
                return set.iter(|k, ()| f(k));
            }
            let see = |k: &K, (): &()| {
                self.say(&CONTAINS, at, k, true);
                f(k)
            };
            self.inner.iter_async(see).await
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn iter_mut_async<F: FnMut(ConsumableEntry<'_, K>) -> bool>(
        &self,
        mut f: F,
    ) -> impl Future<Output = bool> {
        let at = Location::caller();
        async move {
            if let Some(set) = self.explored(at) {
                return set.iter_mut(|alone| f(ConsumableEntry::explored(alone, &self.seen, at)));
            }
            let inner = &self.inner;
            { inner.iter_mut_async(|entry| f(ConsumableEntry::new(entry, &self.seen, at))) }.await
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn retain_async<F: FnMut(&K) -> bool>(&self, mut filter: F) -> impl Future<Output = ()> {
        let at = Location::caller();
        async move {
            if let Some(set) = self.explored(at) {
                return retain(set, |k, ()| filter(k));
            }
            let decide = |k: &K, (): &mut ()| self.stays(&mut filter, k, at);
            self.inner.retain_async(decide).await;
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn clear_async(&self) -> impl Future<Output = ()> {
        self.retain_async(|_| false)
    }
}
