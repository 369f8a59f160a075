//! All entries of a map, one after the other: each is a step, or two.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use ::dashmap::mapref::one::Ref;
use ::dashmap::{RwLockWriteGuard, SharedValue};
use commute_record::{Value, value_of};
use hashbrown::raw::RawTable;

use super::{Explored, differs};
use crate::compose::offered;
use crate::dashmap::recording::Held;
use crate::explored::keyed::{Found, Hold, name_of};

type Table<K, V> = RawTable<(K, SharedValue<V>)>;

/// Where an iteration comes.
pub(in crate::dashmap) enum Next<'a, G> {
    /// This is no step: the real map decides.
    Through,
    /// To its end.
    End,
    /// To this entry.
    At(G, Arc<Hold<'a>>),
}

/// An entry that one thread has for itself, with the lock of its shard.
pub(in crate::dashmap) struct Alone<'a, K, V> {
    table: RwLockWriteGuard<'a, Table<K, V>>,
    hash: u64,
    key: Value,
}

#[expect(unsafe_code, reason = "as the guards of the original")]
mod sent {
    use super::*;

    // SAFETY: a lock of the original may be given back by another thread than the one
    // that took it, which its own guards do, too; what is in the table is sent and shared
    // with this as it is with those.
    unsafe impl<K: Eq + Hash + Sync, V: Sync> Send for Alone<'_, K, V> {}
    // SAFETY: as above.
    unsafe impl<K: Eq + Hash + Sync, V: Sync> Sync for Alone<'_, K, V> {}
}

const THERE: &str = "who has the lock has the entry";

impl<K: Hash, V> Alone<'_, K, V> {
    pub(in crate::dashmap) fn pair(&self) -> (&K, &V) {
        let is_it = |(k, _): &(K, _)| name_of::<K, K>(k) == self.key;
        let (k, v) = self.table.get(self.hash, is_it).expect(THERE);
        (k, v.get())
    }

    pub(in crate::dashmap) fn pair_mut(&mut self) -> (&K, &mut V) {
        let is_it = |(k, _): &(K, _)| name_of::<K, K>(k) == self.key;
        let (k, v) = self.table.get_mut(self.hash, is_it).expect(THERE);
        (k, v.get_mut())
    }

    /// Replaces the value; `hash_of` is how the table is made.
    fn replace(&mut self, hash_of: impl Fn(&K) -> u64, f: impl FnOnce(&K, V) -> V) -> (&K, &V) {
        let is_it = |(k, _): &(K, _)| name_of::<K, K>(k) == self.key;
        let (k, v) = self.table.remove_entry(self.hash, is_it).expect(THERE);
        let v = SharedValue::new(f(&k, v.into_inner()));
        self.table.insert(self.hash, (k, v), |(k, _)| hash_of(k));
        self.pair()
    }

    fn remove(mut self) -> Option<(K, V)> {
        let is_it = |(k, _): &(K, _)| name_of::<K, K>(k) == self.key;
        let (k, v) = self.table.remove_entry(self.hash, is_it)?;
        Some((k, v.into_inner()))
    }
}

impl<'a, K: 'a + Eq + Hash, V: 'a, S: BuildHasher + Clone> Explored<'a, K, V, S> {
    /// The next entry after a key, and a guard of one who looks. The model goes from key
    /// to key.
    pub(in crate::dashmap) fn next(
        &self,
        after: Option<&Arc<Hold<'a>>>,
    ) -> Next<'a, Ref<'a, K, V>> {
        let content = || self.content();
        let after = after.map(|hold| hold.key());
        let hold = match self.steps(&content).next("next", after) {
            None => return Next::Through,
            Some(None) => return Next::End,
            Some(Some(hold)) => hold,
        };
        let found = self.hash(hold.key()).and_then(|hash| {
            let shard = self.real.determine_shard(hash as usize);
            self.mind_shard(shard, false);
            let table = self.real.shards()[shard].try_read()?;
            let (k, _) = table.get(hash, |(k, _)| name_of::<K, K>(k) == *hold.key())?;
            self.real.get(k)
        });
        match &found {
            Some(found) => offered::key::<K, K>(self.tag, found.key()),
            None => differs("next", hold.key(), Value::Nil),
        }
        found.map_or(Next::End, |found| Next::At(found, Arc::new(hold)))
    }

    /// The same, of one who is alone.
    pub(in crate::dashmap) fn next_mut(
        &self,
        after: Option<&Arc<Hold<'a>>>,
    ) -> Next<'a, Alone<'a, K, V>> {
        let content = || self.content();
        let after = after.map(|hold| hold.key());
        let hold = match self.steps(&content).next("next_mut", after) {
            None => return Next::Through,
            Some(None) => return Next::End,
            Some(Some(hold)) => hold,
        };
        let found = self.alone(&hold);
        found.map_or(Next::End, |found| Next::At(found, Arc::new(hold)))
    }

    /// The entry of a guard of one who is alone.
    fn alone(&self, hold: &Hold<'a>) -> Option<Alone<'a, K, V>> {
        let key = hold.key().clone();
        let found = self.hash(&key).and_then(|hash| {
            let shard = self.real.determine_shard(hash as usize);
            self.mind_shard(shard, true);
            let table = self.real.shards()[shard].try_write()?;
            let (k, _) = table.get(hash, |(k, _)| name_of::<K, K>(k) == key)?;
            offered::key::<K, K>(self.tag, k);
            Some((table, hash))
        });
        if found.is_none() {
            differs("next", &key, Value::Nil);
        }
        found.map(|(table, hash)| Alone { table, hash, key })
    }

    fn hash(&self, key: &Value) -> Option<u64> {
        let known = self.real.hasher().known()?;
        known.hashes.get(key).copied()
    }

    pub(in crate::dashmap) fn alter<Q>(&self, key: &Q, f: impl FnOnce(&K, V) -> V)
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let name = self.name(key);
        let content = || self.content();
        match self.steps(&content).take("get_mut", &name) {
            Found::Entry(hold) => {
                if let Some(entry) = self.alone(&hold) {
                    self.replace(entry, Arc::new(hold), f);
                }
            }
            Found::Through => {
                self.mind(key, true);
                self.real.alter(key, f);
            }
            _ => {}
        }
    }

    fn replace(&self, mut entry: Alone<'a, K, V>, hold: Arc<Hold<'a>>, f: impl FnOnce(&K, V) -> V) {
        let before = value_of(entry.pair().1).to_value();
        let mut held = Held::explored(self.tag, self.at, before, hold);
        held.touch();
        let (k, v) = entry.replace(|k| self.real.hasher().hash_one(k), f);
        held.leave(k, v);
    }

    pub(in crate::dashmap) fn alter_all(&self, mut f: impl FnMut(&K, V) -> V) {
        let mut after: Option<Arc<Hold<'a>>> = None;
        while let Next::At(entry, hold) = self.next_mut(after.as_ref()) {
            drop(after.replace(Arc::clone(&hold)));
            self.replace(entry, hold, &mut f);
        }
    }

    /// Lets `f` say of each entry whether it stays.
    pub(in crate::dashmap) fn retain(&self, mut f: impl FnMut(&K, &mut V) -> bool) {
        let mut after: Option<Arc<Hold<'a>>> = None;
        while let Next::At(mut entry, hold) = self.next_mut(after.as_ref()) {
            // The guard before is given back when there is the next.
            drop(after.replace(Arc::clone(&hold)));
            let before = value_of(entry.pair().1).to_value();
            let mut held = Held::explored(self.tag, self.at, before, hold);
            held.touch();
            let (k, v) = entry.pair_mut();
            match f(k, v) {
                true => held.leave(k, &*v),
                false => {
                    held.remove(k);
                    entry.remove();
                }
            }
        }
    }
}
