//! What is done to a map without blocking the thread. Functions that return futures,
//! because an `async fn` does not know its caller.

use std::future::Future;
use std::hash::{BuildHasher, Hash};
use std::panic::Location;

use ::scc::Equivalent;
use ::scc::hash_map as original;
use commute_record::{Raw, is_on};

use super::HashMap;
use super::entry::{ConsumableEntry, Entry, OccupiedEntry, ReplaceResult};
use super::map::TRY_INSERT;
use super::whole::retain;
use crate::keyed::{CONTAINS_KEY, GET, REMOVE, change};

impl<K: Eq + Hash, V, H: BuildHasher> HashMap<K, V, H> {
    /// As the original's.
    #[track_caller]
    pub fn entry_async(&self, key: K) -> impl Future<Output = Entry<'_, K, V, H>> {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return Entry::explored(map, map.entry(&key), key, &self.seen, at);
            }
            Entry::new(self.inner.entry_async(key).await, &self.seen, at)
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn insert_async(&self, key: K, val: V) -> impl Future<Output = Result<(), (K, V)>> {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return map.insert(key, val);
            }
            if !is_on() {
                return self.inner.insert_async(key, val).await;
            }
            // As in `insert_sync`.
            if let Some(entry) = self.inner.get_async(&key).await {
                self.refuse(&key, &val, at);
                drop(entry);
                return Err((key, val));
            }
            match self.inner.replace_async(key).await {
                original::ReplaceResult::NotReplaced(entry) => {
                    self.insert_vacant(entry, val, &TRY_INSERT, Raw::Bool(true), at);
                    Ok(())
                }
                original::ReplaceResult::Replaced(entry, other) => {
                    self.refuse(&other, &val, at);
                    drop(entry);
                    let key = match self.inner.replace_async(other).await {
                        original::ReplaceResult::Replaced(_, key) => key,
                        original::ReplaceResult::NotReplaced(entry) => entry.into_key(),
                    };
                    Err((key, val))
                }
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn upsert_async(&self, key: K, val: V) -> impl Future<Output = Option<V>> {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return map.upsert(key, val, true).map(|(_, before)| before);
            }
            self.upsert_at(self.inner.entry_async(key).await, val, at)
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn update_async<Q, U, R>(&self, key: &Q, updater: U) -> impl Future<Output = Option<R>>
    where
        Q: Equivalent<K> + Hash + ?Sized,
        U: FnOnce(&K, &mut V) -> R,
    {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return map.update(key, updater);
            }
            let mut updater = Some(updater);
            loop {
                let since = self.seen.now();
                let update = |k: &K, v: &mut V| {
                    let updater = updater.take()?;
                    Some(change(
                        &self.seen.tag,
                        at,
                        k,
                        v,
                        |v| updater(k, v),
                        |_| false,
                    ))
                };
                let updated = self.inner.update_async(key, update).await;
                if updated.is_some() || self.absent(since, &GET, at, key) {
                    return updated.flatten();
                }
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn remove_async<Q>(&self, key: &Q) -> impl Future<Output = Option<(K, V)>>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return map.remove(key);
            }
            loop {
                let since = self.seen.now();
                let change = |v: &mut V| change(&self.seen.tag, at, key, v, |_| true, |_| true);
                let removed = self.inner.remove_if_async(key, change).await;
                if removed.is_some() || self.absent(since, &REMOVE, at, key) {
                    return removed;
                }
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn remove_if_async<Q, F: FnOnce(&mut V) -> bool>(
        &self,
        key: &Q,
        condition: F,
    ) -> impl Future<Output = Option<(K, V)>>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return map.remove_if(key, condition);
            }
            let mut condition = Some(condition);
            loop {
                let since = self.seen.now();
                let decide = |v: &mut V| match condition.take() {
                    Some(condition) => change(&self.seen.tag, at, key, v, condition, |go| *go),
                    None => false,
                };
                let removed = self.inner.remove_if_async(key, decide).await;
                if condition.is_none() || self.absent(since, &GET, at, key) {
                    return removed;
                }
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn get_async<Q>(&self, key: &Q) -> impl Future<Output = Option<OccupiedEntry<'_, K, V, H>>>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return Some(OccupiedEntry::explored(map, map.get(key)?, &self.seen, at));
            }
            loop {
                let since = self.seen.now();
                if let Some(inner) = self.inner.get_async(key).await {
                    return Some(OccupiedEntry::new(inner, &self.seen, at));
                }
                if self.absent(since, &GET, at, key) {
                    return None;
                }
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn read_async<Q, R, F: FnOnce(&K, &V) -> R>(
        &self,
        key: &Q,
        reader: F,
    ) -> impl Future<Output = Option<R>>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return map.read(key, reader);
            }
            let mut reader = Some(reader);
            loop {
                let since = self.seen.now();
                let read = |k: &K, v: &V| {
                    self.saw(k, v, at);
                    reader.take().map(|reader| reader(k, v))
                };
                let read = self.inner.read_async(key, read).await;
                if read.is_some() || self.absent(since, &GET, at, key) {
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
        async move {
            if let Some(map) = self.explored(at) {
                return map.contains(key);
            }
            loop {
                let since = self.seen.now();
                let look = |k: &K, _: &V| self.contained(k, at);
                let found = self.inner.read_async(key, look).await;
                if found.is_some() || self.absent(since, &CONTAINS_KEY, at, key) {
                    return found.is_some();
                }
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn replace_async(&self, key: K) -> impl Future<Output = ReplaceResult<'_, K, V, H>> {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return ReplaceResult::explored(map, map.entry(&key), key, &self.seen, at);
            }
            ReplaceResult::new(self.inner.replace_async(key).await, &self.seen, at)
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn begin_async(&self) -> impl Future<Output = Option<OccupiedEntry<'_, K, V, H>>> {
        self.any_async(|_, _| true)
    }

    /// As the original's.
    #[track_caller]
    pub fn any_async<P: FnMut(&K, &V) -> bool>(
        &self,
        mut pred: P,
    ) -> impl Future<Output = Option<OccupiedEntry<'_, K, V, H>>> {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                let found = map.any(None, pred)?;
                return Some(OccupiedEntry::explored(map, found, &self.seen, at));
            }
            let decide = |k: &K, v: &V| self.decides(&mut pred, (k, v), at);
            let inner = self.inner.any_async(decide).await?;
            Some(OccupiedEntry::new(inner, &self.seen, at))
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn iter_mut_async<F: FnMut(ConsumableEntry<'_, K, V>) -> bool>(
        &self,
        mut f: F,
    ) -> impl Future<Output = bool> {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return map.iter_mut(|alone| f(ConsumableEntry::explored(alone)));
            }
            let see = |entry: original::ConsumableEntry<'_, K, V>| {
                f(ConsumableEntry::new(entry, &self.seen.tag, at))
            };
            self.inner.iter_mut_async(see).await
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn iter_async<F: FnMut(&K, &V) -> bool>(&self, mut f: F) -> impl Future<Output = bool> {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return map.iter(f);
            }
            let see = |k: &K, v: &V| {
                self.saw(k, v, at);
                f(k, v)
            };
            self.inner.iter_async(see).await
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn retain_async<F: FnMut(&K, &mut V) -> bool>(
        &self,
        mut pred: F,
    ) -> impl Future<Output = ()> {
        let at = Location::caller();
        async move {
            if let Some(map) = self.explored(at) {
                return retain(map, pred);
            }
            let decide = |k: &K, v: &mut V| {
                change(&self.seen.tag, at, k, v, |v| pred(k, v), |stays| !*stays)
            };
            self.inner.retain_async(decide).await;
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn clear_async(&self) -> impl Future<Output = ()> {
        self.retain_async(|_, _| false)
    }
}
