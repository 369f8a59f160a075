//! Entries: a key with its place in the map, for oneself.

use std::hash::Hash;

use ::dashmap::mapref::entry as original;
use commute_record::{Tag, Value, value_of};

use super::one::RefMut;
use super::recording::{At, Guard, Held};
use crate::explored::keyed::Hold;

/// See [`dashmap::Entry`](original::Entry).
pub enum Entry<'a, K, V> {
    /// There is a value.
    Occupied(OccupiedEntry<'a, K, V>),
    /// There is none.
    Vacant(VacantEntry<'a, K, V>),
}

impl<'a, K: Eq + Hash, V> Entry<'a, K, V> {
    pub(super) fn new(inner: original::Entry<'a, K, V>, tag: &'a Tag, at: At) -> Self {
        match inner {
            original::Entry::Occupied(inner) => {
                let held = Held::new(tag, at, Some(value_of(inner.get())));
                Entry::Occupied(OccupiedEntry::new(inner, held))
            }
            original::Entry::Vacant(inner) => {
                let held = Held::new(tag, at, None);
                Entry::Vacant(VacantEntry::new(inner, held))
            }
        }
    }

    /// In a test that is explored.
    pub(super) fn explored(
        inner: original::Entry<'a, K, V>,
        tag: &'a Tag,
        at: At,
        hold: Option<Hold<'a>>,
    ) -> Self {
        let held = |before: Value| {
            hold.map(|hold| Held::explored(tag, at, before, std::sync::Arc::new(hold)))
        };
        match inner {
            original::Entry::Occupied(inner) => {
                let held = held(value_of(inner.get()).to_value());
                Entry::Occupied(OccupiedEntry::new(inner, held))
            }
            original::Entry::Vacant(inner) => {
                Entry::Vacant(VacantEntry::new(inner, held(Value::Nil)))
            }
        }
    }

    /// Applies `f` to the value, if there is one.
    pub fn and_modify(self, f: impl FnOnce(&mut V)) -> Self {
        match self {
            Entry::Occupied(mut entry) => {
                f(entry.get_mut());
                Entry::Occupied(entry)
            }
            vacant => vacant,
        }
    }

    /// The key.
    pub fn key(&self) -> &K {
        match self {
            Entry::Occupied(entry) => entry.key(),
            Entry::Vacant(entry) => entry.key(),
        }
    }

    /// The key.
    pub fn into_key(self) -> K {
        match self {
            Entry::Occupied(entry) => entry.into_key(),
            Entry::Vacant(entry) => entry.into_key(),
        }
    }

    /// The value, the default one if there was none.
    pub fn or_default(self) -> RefMut<'a, K, V>
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// The value, this one if there was none.
    pub fn or_insert(self, value: V) -> RefMut<'a, K, V> {
        self.or_insert_with(|| value)
    }

    /// The value, this one if there was none.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> RefMut<'a, K, V> {
        match self {
            Entry::Occupied(entry) => entry.into_ref(),
            Entry::Vacant(entry) => entry.insert(value()),
        }
    }

    /// The value, this one if there was none.
    ///
    /// # Errors
    /// If there was none and none could be made.
    pub fn or_try_insert_with<E>(
        self,
        value: impl FnOnce() -> Result<V, E>,
    ) -> Result<RefMut<'a, K, V>, E> {
        Ok(match self {
            Entry::Occupied(entry) => entry.into_ref(),
            Entry::Vacant(entry) => entry.insert(value()?),
        })
    }

    /// Sets the value.
    pub fn insert(self, value: V) -> RefMut<'a, K, V> {
        match self {
            Entry::Occupied(mut entry) => {
                entry.insert(value);
                entry.into_ref()
            }
            Entry::Vacant(entry) => entry.insert(value),
        }
    }

    /// Sets the value.
    pub fn insert_entry(self, value: V) -> OccupiedEntry<'a, K, V>
    where
        K: Clone,
    {
        match self {
            Entry::Occupied(mut entry) => {
                entry.insert(value);
                entry
            }
            Entry::Vacant(entry) => entry.insert_entry(value),
        }
    }
}

/// See [`dashmap::VacantEntry`](original::VacantEntry).
pub struct VacantEntry<'a, K, V>(Guard<'a, original::VacantEntry<'a, K, V>>);

impl<'a, K: Eq + Hash, V> VacantEntry<'a, K, V> {
    fn new(inner: original::VacantEntry<'a, K, V>, held: Option<Held<'a>>) -> Self {
        let leave = |held: Held<'a>, inner: &original::VacantEntry<'a, K, V>| {
            held.leave_absent(inner.key());
        };
        VacantEntry(Guard::new(inner, held, leave))
    }

    /// Sets the value.
    pub fn insert(self, value: V) -> RefMut<'a, K, V> {
        let (inner, held) = self.0.into_parts();
        RefMut::new(inner.insert(value), held)
    }

    /// Sets the value.
    pub fn insert_entry(self, value: V) -> OccupiedEntry<'a, K, V>
    where
        K: Clone,
    {
        let (inner, held) = self.0.into_parts();
        OccupiedEntry::new(inner.insert_entry(value), held)
    }

    /// The key.
    pub fn into_key(self) -> K {
        self.0.into_inner().into_key()
    }

    /// The key.
    pub fn key(&self) -> &K {
        self.0.get().key()
    }
}

/// See [`dashmap::OccupiedEntry`](original::OccupiedEntry).
pub struct OccupiedEntry<'a, K, V>(Guard<'a, original::OccupiedEntry<'a, K, V>>);

impl<'a, K: Eq + Hash, V> OccupiedEntry<'a, K, V> {
    fn new(inner: original::OccupiedEntry<'a, K, V>, held: Option<Held<'a>>) -> Self {
        let leave = |held: Held<'a>, inner: &original::OccupiedEntry<'a, K, V>| {
            held.leave(inner.key(), inner.get());
        };
        OccupiedEntry(Guard::new(inner, held, leave))
    }

    /// The value.
    pub fn get(&self) -> &V {
        self.0.get().get()
    }

    /// The value.
    pub fn get_mut(&mut self) -> &mut V {
        self.0.get_mut().get_mut()
    }

    /// Sets the value; the one before.
    pub fn insert(&mut self, value: V) -> V {
        self.0.get_mut().insert(value)
    }

    /// A guard of the value.
    pub fn into_ref(self) -> RefMut<'a, K, V> {
        let (inner, held) = self.0.into_parts();
        RefMut::new(inner.into_ref(), held)
    }

    /// The key that was asked for.
    pub fn into_key(self) -> K {
        self.0.into_inner().into_key()
    }

    /// The key that was asked for.
    pub fn key(&self) -> &K {
        self.0.get().key()
    }

    /// Removes the entry.
    pub fn remove(self) -> V {
        self.remove_entry().1
    }

    /// Removes the entry.
    pub fn remove_entry(self) -> (K, V) {
        let (inner, held) = self.0.into_parts();
        if let Some(held) = held {
            held.remove(inner.key());
        }
        inner.remove_entry()
    }

    /// Sets key and value; those before.
    pub fn replace_entry(self, value: V) -> (K, V) {
        let (inner, held) = self.0.into_parts();
        if let Some(mut held) = held {
            held.touch();
            held.leave(inner.key(), &value);
        }
        inner.replace_entry(value)
    }
}
