//! Maps and sets in a test that is explored: every operation is a step, and the real map
//! does what its model says.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};

use ::dashmap as original;
use ::dashmap::mapref::one::{Ref, RefMut};
use ::dashmap::try_result::TryResult;
use commute_explore::models::Values;
use commute_explore::runtime::{misuse, stuck, surprise};
use commute_record::{Tag, Value, value_of};

use super::recording::At;
use super::spread::Spread;
use crate::compose::offered;
use crate::explored::keyed::{Found, Hold, Steps, name_of, picture};

mod walk;

pub(super) use walk::{Alone, Next};

pub(super) type Real<K, V, S> = original::DashMap<K, V, Spread<S>>;

/// A guard of the original, and that of the model, if that knows of it.
pub(super) type Guarded<'a, G> = (G, Option<Hold<'a>>);

/// A map that is explored.
pub(super) struct Explored<'a, K, V, S> {
    pub(super) real: &'a Real<K, V, S>,
    pub(super) tag: &'a Tag,
    pub(super) at: At,
    pub(super) values: Values,
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
        offered::key::<K, Q>(self.tag, key);
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

    /// A guard of one who looks: `get` or `try_get`.
    pub(super) fn get<Q>(
        &self,
        method: &'static str,
        key: &Q,
    ) -> TryResult<Guarded<'a, Ref<'a, K, V>>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let name = self.name(key);
        let content = || self.content();
        let found = self.steps(&content).take(method, &name);
        if let Found::Locked = found {
            return TryResult::Locked;
        }
        self.mind(key, false);
        agreed(method, found, self.real.get(key))
    }

    /// A guard of one who is alone: `get_mut` or `try_get_mut`.
    pub(super) fn get_mut<Q>(
        &self,
        method: &'static str,
        key: &Q,
    ) -> TryResult<Guarded<'a, RefMut<'a, K, V>>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let name = self.name(key);
        let content = || self.content();
        let found = self.steps(&content).take(method, &name);
        if let Found::Locked = found {
            return TryResult::Locked;
        }
        self.mind(key, true);
        agreed(method, found, self.real.get_mut(key))
    }

    /// `entry` or `try_entry`; none if it is locked.
    pub(super) fn entry(
        &self,
        method: &'static str,
        key: K,
    ) -> Option<Guarded<'a, original::Entry<'a, K, V>>> {
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
}

/// What was found, and that it is what the model says.
fn agreed<'a, G>(method: &str, found: Found<'a>, real: Option<G>) -> TryResult<Guarded<'a, G>> {
    let (hold, said) = match found {
        Found::Entry(hold) => (Some(hold), true),
        Found::Nothing => (None, false),
        _ => (None, real.is_some()),
    };
    if said != real.is_some() {
        differs(method, &said.into(), real.is_some().into());
    }
    match real {
        Some(real) => TryResult::Present((real, hold)),
        None => TryResult::Absent,
    }
}
