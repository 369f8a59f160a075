//! Maps and sets in a test that is explored: every operation is a step of a model, and
//! what it says is done to the [places](super::places) of their keys.

mod walk;

use std::hash::Hash;
use std::sync::Arc;

use ::scc::Equivalent;
use commute_explore::models::Values;
use commute_explore::runtime::{is_trying, misuse, surprise};
use commute_record::{Tag, Value, value_of};

use super::places::{Places, Taken};
use crate::compose::offered;
use crate::explored::keyed::{Found, Hold, Steps, name_of, picture};
use crate::keyed::{At, Guard, Held};

/// A map that is explored.
pub(super) struct Explored<'a, K, V> {
    places: &'a Places<K, V>,
    tag: &'a Tag,
    at: At,
    values: Values,
}

impl<K, V> Clone for Explored<'_, K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for Explored<'_, K, V> {}

/// An entry, or the place for one, that one thread has for itself: what it is, and what
/// the model is to be told when it goes.
pub(super) type Alone<'a, K, V> = (Taken<'a, K, V>, Option<Held<'a>>);

/// The same, as what tells the model of it.
fn guard<'a, K, V>((taken, held): Alone<'a, K, V>) -> Guard<'a, Taken<'a, K, V>> {
    Guard::new(taken, held, |held, taken| match taken.entry.as_deref() {
        Some((k, v)) => held.leave(k, v),
        None => held.leave_absent(&()),
    })
}

/// What is there has another opinion.
fn differs(method: &str, said: &Value, found: Value) {
    surprise(format!("{method} = {said}"), format!("{method} = {found}"));
}

fn agrees(method: &str, said: Option<&Value>, found: bool) {
    match said {
        // It gets again what it got before, whatever there is.
        Some(said) if *said != Value::Bool(found) && !is_trying() => {
            differs(method, said, found.into());
        }
        _ => {}
    }
}

impl<K, V> Places<K, V> {
    /// The map, if it is explored; `has_others` is whether it has entries from before.
    pub(super) fn explored<'a>(
        &'a self,
        tag: &'a Tag,
        at: At,
        values: Values,
        has_others: impl FnOnce() -> bool,
    ) -> Option<Explored<'a, K, V>> {
        let is_on = crate::explored::is_on(tag);
        if !is_on && !self.is_used() {
            return None;
        }
        if is_on && has_others() {
            misuse("a map of `scc` that was filled before the test is not explored".to_owned());
        }
        Some(Explored {
            places: self,
            tag,
            at,
            values,
        })
    }
}

impl<'a, K: Eq + Hash, V> Explored<'a, K, V> {
    /// Does something with the model.
    fn with<R>(self, f: impl FnOnce(Steps<'a, '_>) -> R) -> R {
        f(Steps {
            tag: self.tag,
            at: self.at,
            values: self.values,
            content: &|| self.content(),
        })
    }

    /// What is in it when it is first used.
    fn content(self) -> Vec<(Value, Value)> {
        let value = |v: &V| match value_of(v).to_value() {
            value if value.has_opaque() => Value::symbol("given"),
            value => value,
        };
        let all = self.places.iter().filter_map(|place| {
            let value = place.try_look(|_, v| value(v)).flatten()?;
            Some((place.name.clone(), value))
        });
        all.collect()
    }

    /// What the model calls a key.
    fn name<Q: Equivalent<K> + Hash + ?Sized>(self, key: &Q) -> Value {
        offered::key::<K, Q>(self.tag, key);
        let name = name_of::<K, Q>(key);
        for place in self.places.iter() {
            let is_it = place.try_look(|k, _| key.equivalent(k)).flatten();
            if is_it.is_some_and(|is_it| is_it != (place.name == name)) {
                misuse(format!(
                    "two keys are equal and have different pictures, or differ and have the \
                     same: `{name}` and `{}`",
                    place.name
                ));
            }
        }
        name
    }

    /// Whether a key is there.
    pub(super) fn contains<Q: Equivalent<K> + Hash + ?Sized>(self, key: &Q) -> bool {
        let name = self.name(key);
        let said = self.with(|steps| steps.ask_of("contains_key", &name, &[]));
        if is_trying() && said.is_some() {
            return said == Some(Value::Bool(true));
        }
        let contains = self.places.of(&name).look(|_, _| ()).is_some();
        agrees("contains_key", said.as_ref(), contains);
        contains
    }

    /// Inserts an entry, unless the key is there.
    pub(super) fn insert(self, key: K, value: V) -> Result<(), (K, V)> {
        let name = self.name(&key);
        let said = self.with(|steps| steps.ask_of("try_insert", &name, &[picture(&value)]));
        let mut taken = self.places.of(&name).take();
        agrees("try_insert", said.as_ref(), taken.entry.is_none());
        match taken.entry {
            Some(_) => Err((key, value)),
            None => {
                taken.entry = Some(Box::new((key, value)));
                Ok(())
            }
        }
    }

    /// Inserts a value; what there was before. A key that is there stays, if that is to
    /// be so, else it is the one that is returned.
    pub(super) fn upsert(self, key: K, value: V, keeps_key: bool) -> Option<(K, V)> {
        let name = self.name(&key);
        let said = self.with(|steps| steps.ask_of("insert", &name, &[picture(&value)]));
        let mut taken = self.places.of(&name).take();
        self.found("insert", said, taken.entry.as_deref());
        let mut new = Box::new((key, value));
        if let Some(old) = taken.entry.as_mut().filter(|_| keeps_key) {
            std::mem::swap(&mut new.0, &mut old.0);
        }
        taken.entry.replace(new).map(|old| *old)
    }

    /// Removes an entry.
    pub(super) fn remove<Q>(self, key: &Q) -> Option<(K, V)>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let name = self.name(key);
        let said = self.with(|steps| steps.ask_of("remove", &name, &[]));
        let mut taken = self.places.of(&name).take();
        self.found("remove", said, taken.entry.as_deref());
        taken.entry.take().map(|entry| *entry)
    }

    /// That there was what the model says.
    fn found(self, method: &str, said: Option<Value>, found: Option<&(K, V)>) {
        let Some(said) = said else { return };
        let found = found.map_or(Value::Nil, |(_, v)| value_of(v).to_value());
        let agree = match found.has_opaque() {
            true => said != Value::Nil,
            false => said == found,
        };
        if !agree && !is_trying() {
            differs(method, &said, found);
        }
    }

    /// Calls `f` with an entry, which nobody changes meanwhile.
    pub(super) fn read<Q, R>(self, key: &Q, f: impl FnOnce(&K, &V) -> R) -> Option<R>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let name = self.name(key);
        let found = self.with(|steps| steps.take("get", &name));
        self.look("get", &name, found, f)
    }

    fn look<R>(
        self,
        method: &str,
        name: &Value,
        found: Found<'a>,
        f: impl FnOnce(&K, &V) -> R,
    ) -> Option<R> {
        let (_hold, said) = match found {
            Found::Nothing if is_trying() => return None,
            Found::Nothing => (None, Some(false)),
            Found::Entry(hold) => (Some(hold), Some(true)),
            _ => (None, None),
        };
        let found = self.places.of(name).look(f);
        agrees(method, said.map(Value::Bool).as_ref(), found.is_some());
        found
    }

    /// An entry to have alone.
    pub(super) fn get<Q>(self, key: &Q) -> Option<Alone<'a, K, V>>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let name = self.name(key);
        match self.with(|steps| steps.take("get_mut", &name)) {
            Found::Nothing if is_trying() => None,
            found => {
                let alone = self.alone("get_mut", &name, found);
                alone.0.entry.is_some().then_some(alone)
            }
        }
    }

    /// An entry or the place for one, to have alone.
    pub(super) fn entry(self, key: &K) -> Alone<'a, K, V> {
        let name = self.name(key);
        let found = self.with(|steps| steps.take("entry", &name));
        self.alone("entry", &name, found)
    }

    /// The same; none if somebody else has it.
    pub(super) fn try_entry(self, key: &K) -> Option<Alone<'a, K, V>> {
        let name = self.name(key);
        match self.with(|steps| steps.take("try_entry", &name)) {
            Found::Locked => None,
            found => Some(self.alone("try_entry", &name, found)),
        }
    }

    fn alone(self, method: &str, name: &Value, found: Found<'a>) -> Alone<'a, K, V> {
        let taken = self.places.of(name).take();
        let (hold, said) = match found {
            Found::Entry(hold) => (Some(hold), Some(true)),
            Found::Vacant(hold) => (Some(hold), Some(false)),
            Found::Nothing => (None, Some(false)),
            Found::Through | Found::Locked => (None, None),
        };
        let is_there = taken.entry.is_some();
        agrees(method, said.map(Value::Bool).as_ref(), is_there);
        let held = hold.map(|hold| self.held(&taken, Arc::new(hold)));
        (taken, held)
    }

    fn held(self, taken: &Taken<'a, K, V>, hold: Arc<Hold<'a>>) -> Held<'a> {
        let before = taken.entry.as_deref();
        let before = before.map_or(Value::Nil, |(_, v)| value_of(v).to_value());
        Held::explored(self.tag, self.at, before, hold)
    }

    /// Calls `f` with an entry that it may change.
    pub(super) fn update<Q, R>(self, key: &Q, f: impl FnOnce(&K, &mut V) -> R) -> Option<R>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let mut guard = guard(self.get(key)?);
        let (k, v) = guard.get_mut().entry.as_deref_mut()?;
        Some(f(k, v))
    }

    /// Removes an entry if `f` says so.
    pub(super) fn remove_if<Q>(self, key: &Q, f: impl FnOnce(&mut V) -> bool) -> Option<(K, V)>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let mut guard = guard(self.get(key)?);
        let (_, v) = guard.get_mut().entry.as_deref_mut()?;
        if !f(v) {
            return None;
        }
        let (mut taken, held) = guard.into_parts();
        if let Some(held) = held {
            held.remove(&());
        }
        taken.entry.take().map(|entry| *entry)
    }
}
