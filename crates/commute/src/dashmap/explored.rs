//! Maps and sets in a test that is explored: every operation is a step, and the real map
//! does what its model says.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use ::dashmap as original;
use ::dashmap::mapref::one::{Ref, RefMut};
use ::dashmap::{RwLockWriteGuard, SharedValue};
use commute_explore::models::Values;
use commute_explore::runtime::{misuse, stuck, surprise};
use commute_record::{Tag, Value, value_of};
use hashbrown::raw::RawTable;

use super::recording::{At, Held};
use super::spread::Spread;
use crate::explored::keyed::{Found, Hold, Steps, name_of, picture};

pub(super) type Real<K, V, S> = original::DashMap<K, V, Spread<S>>;
type Table<K, V> = RawTable<(K, SharedValue<V>)>;

/// A map that is explored.
pub(super) struct Explored<'a, K, V, S> {
    pub(super) real: &'a Real<K, V, S>,
    pub(super) tag: &'a Tag,
    pub(super) at: At,
    pub(super) values: Values,
}

/// An entry that one thread has for itself, with the lock of its shard.
pub(super) struct Alone<'a, K, V> {
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
    pub(super) fn pair(&self) -> (&K, &V) {
        let is_it = |(k, _): &(K, _)| name_of::<K, K>(k) == self.key;
        let (k, v) = self.table.get(self.hash, is_it).expect(THERE);
        (k, v.get())
    }

    pub(super) fn pair_mut(&mut self) -> (&K, &mut V) {
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

/// The real map has another opinion.
fn differs(method: &str, said: &Value, found: Value) {
    surprise(format!("{method} = {said}"), format!("{method} = {found}"));
}

impl<'a, K: 'a + Eq + Hash, V: 'a, S: BuildHasher + Clone> Explored<'a, K, V, S> {
    fn steps<'c>(&self, content: &'c dyn Fn() -> Vec<(Value, Value)>) -> Steps<'a, 'c> {
        Steps {
            tag: self.tag,
            at: self.at,
            values: self.values,
            content,
        }
    }

    /// What the model calls a key. Whoever has come across it can find it again.
    fn name<Q: Hash + ?Sized>(&self, key: &Q) -> Value {
        let name = name_of::<K, Q>(key);
        let hash = self.real.hasher().hash_one(key);
        match self.real.hasher().known() {
            Some(mut known) => {
                known.hashes.entry(name.clone()).or_insert(hash);
            }
            None => misuse("a `DashMap` that was made before the test is not explored".to_owned()),
        }
        name
    }

    /// What is in it when it is first used.
    fn content(&self) -> Vec<(Value, Value)> {
        let known = self.real.hasher().known();
        let known = known.map_or_else(Vec::new, |known| {
            let hashes = known.hashes.iter();
            hashes.map(|(name, hash)| (name.clone(), *hash)).collect()
        });
        let value = |(name, hash): (Value, u64)| {
            let shard = &self.real.shards()[self.real.determine_shard(hash as usize)];
            let table = shard.try_read()?;
            let (_, v) = table.get(hash, |(k, _)| name_of::<K, K>(k) == name)?;
            let value = match value_of(v.get()).to_value() {
                value if value.has_opaque() => Value::symbol("given"),
                value => value,
            };
            Some((name, value))
        };
        known.into_iter().filter_map(value).collect()
    }

    /// Nothing real is waited for.
    fn mind<Q>(&self, key: &Q, alone: bool)
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.mind_shard(self.real.determine_map(key), alone);
    }

    fn mind_shard(&self, shard: usize, alone: bool) {
        let shard = &self.real.shards()[shard];
        let is_free = match alone {
            true => shard.try_write().is_some(),
            false => shard.try_read().is_some(),
        };
        if !is_free {
            if !commute_explore::runtime::is_stopped() {
                misuse("a map has so many keys that those of different guards share a lock".into());
            }
            stuck("a lock of a map is waited for");
        }
    }

    pub(super) fn insert(&self, key: K, value: V) -> Option<V> {
        let name = self.name(&key);
        let content = || self.content();
        let said = (self.steps(&content)).ask_of("insert", &name, &[picture(&value)]);
        self.mind(&key, true);
        let before = self.real.insert(key, value);
        self.compare("insert", said, before.as_ref());
        before
    }

    /// Whether the real map found what the model says.
    fn compare(&self, method: &str, said: Option<Value>, found: Option<&V>) {
        let Some(said) = said else { return };
        let found = found.map_or(Value::Nil, |v| value_of(v).to_value());
        let agree = match found.has_opaque() {
            true => said != Value::Nil,
            false => said == found,
        };
        if !agree {
            differs(method, &said, found);
        }
    }

    pub(super) fn remove<Q>(&self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let name = self.name(key);
        let content = || self.content();
        let said = self.steps(&content).ask_of("remove", &name, &[]);
        self.mind(key, true);
        let removed = self.real.remove(key);
        self.compare("remove", said, removed.as_ref().map(|(_, v)| v));
        removed
    }

    pub(super) fn contains_key<Q>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let name = self.name(key);
        let content = || self.content();
        let said = self.steps(&content).ask_of("contains_key", &name, &[]);
        self.mind(key, false);
        let contains = self.real.contains_key(key);
        match said {
            Some(said) if said != Value::Bool(contains) => {
                differs("contains_key", &said, contains.into());
            }
            _ => {}
        }
        contains
    }

    pub(super) fn len(&self) -> usize {
        let content = || self.content();
        match self.steps(&content).ask("len", &[]) {
            Some(said) => said.as_int().and_then(|n| n.try_into().ok()).unwrap_or(0),
            None => self.content().len(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        let content = || self.content();
        match self.steps(&content).ask("is_empty", &[]) {
            Some(said) => said == Value::Bool(true),
            None => self.content().is_empty(),
        }
    }

    /// A guard of one who looks: `get` or `try_get`. The first is none if it is locked.
    pub(super) fn get<Q>(
        &self,
        method: &'static str,
        key: &Q,
    ) -> Option<Option<(Ref<'a, K, V>, Option<Hold<'a>>)>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let name = self.name(key);
        let content = || self.content();
        let found = self.steps(&content).take(method, &name);
        if let Found::Locked = found {
            return None;
        }
        self.mind(key, false);
        let real = self.real.get(key);
        Some(agreed(method, found, real))
    }

    /// A guard of one who is alone: `get_mut` or `try_get_mut`. The first is none if it is
    /// locked.
    pub(super) fn get_mut<Q>(
        &self,
        method: &'static str,
        key: &Q,
    ) -> Option<Option<(RefMut<'a, K, V>, Option<Hold<'a>>)>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let name = self.name(key);
        let content = || self.content();
        let found = self.steps(&content).take(method, &name);
        if let Found::Locked = found {
            return None;
        }
        self.mind(key, true);
        let real = self.real.get_mut(key);
        Some(agreed(method, found, real))
    }

    /// `entry` or `try_entry`; none if it is locked.
    pub(super) fn entry(
        &self,
        method: &'static str,
        key: K,
    ) -> Option<(original::Entry<'a, K, V>, Option<Hold<'a>>)> {
        let name = self.name(&key);
        let content = || self.content();
        let found = self.steps(&content).take(method, &name);
        if let Found::Locked = found {
            return None;
        }
        self.mind(&key, true);
        let real = self.real.entry(key);
        let is_there = matches!(real, original::Entry::Occupied(_));
        let (hold, said) = match found {
            Found::Entry(hold) => (Some(hold), true),
            Found::Vacant(hold) => (Some(hold), false),
            _ => (None, is_there),
        };
        if is_there != said {
            differs(method, &said.into(), is_there.into());
        }
        Some((real, hold))
    }

    /// The next entry after a key, and a guard of one who looks. The model goes from key
    /// to key; the first is none if this is no step.
    pub(super) fn next(
        &self,
        after: Option<&Value>,
    ) -> Option<Option<(Ref<'a, K, V>, Arc<Hold<'a>>)>> {
        let content = || self.content();
        let Some(hold) = self.steps(&content).next("next", after)? else {
            return Some(None);
        };
        let found = self.hash(hold.key()).and_then(|hash| {
            let shard = self.real.determine_shard(hash as usize);
            self.mind_shard(shard, false);
            let table = self.real.shards()[shard].try_read()?;
            let (k, _) = table.get(hash, |(k, _)| name_of::<K, K>(k) == *hold.key())?;
            self.real.get(k)
        });
        if found.is_none() {
            differs("next", hold.key(), Value::Nil);
        }
        Some(found.map(|found| (found, Arc::new(hold))))
    }

    /// The same, of one who is alone.
    pub(super) fn next_mut(
        &self,
        after: Option<&Value>,
    ) -> Option<Option<(Alone<'a, K, V>, Arc<Hold<'a>>)>> {
        let content = || self.content();
        let Some(hold) = self.steps(&content).next("next_mut", after)? else {
            return Some(None);
        };
        Some(self.alone(&hold).map(|entry| (entry, Arc::new(hold))))
    }

    /// The entry of a guard of one who is alone.
    fn alone(&self, hold: &Hold<'a>) -> Option<Alone<'a, K, V>> {
        let key = hold.key().clone();
        let found = self.hash(&key).and_then(|hash| {
            let shard = self.real.determine_shard(hash as usize);
            self.mind_shard(shard, true);
            let table = self.real.shards()[shard].try_write()?;
            let found = table.get(hash, |(k, _)| name_of::<K, K>(k) == key);
            found.is_some().then_some((table, hash))
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

    pub(super) fn alter<Q>(&self, key: &Q, f: impl FnOnce(&K, V) -> V)
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

    pub(super) fn alter_all(&self, mut f: impl FnMut(&K, V) -> V) {
        let mut after: Option<Arc<Hold<'a>>> = None;
        while let Some(Some((entry, hold))) = self.next_mut(after.as_ref().map(|h| h.key())) {
            drop(after.replace(Arc::clone(&hold)));
            self.replace(entry, hold, &mut f);
        }
    }

    /// Lets `f` say of each entry whether it stays.
    pub(super) fn retain(&self, mut f: impl FnMut(&K, &mut V) -> bool) {
        let mut after: Option<Arc<Hold<'a>>> = None;
        while let Some(Some((mut entry, hold))) = self.next_mut(after.as_ref().map(|h| h.key())) {
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

/// What was found, and that it is what the model says.
fn agreed<'a, G>(method: &str, found: Found<'a>, real: Option<G>) -> Option<(G, Option<Hold<'a>>)> {
    let (hold, said) = match found {
        Found::Entry(hold) => (Some(hold), true),
        Found::Nothing => (None, false),
        _ => (None, real.is_some()),
    };
    if said != real.is_some() {
        differs(method, &said.into(), real.is_some().into());
    }
    real.map(|real| (real, hold))
}
