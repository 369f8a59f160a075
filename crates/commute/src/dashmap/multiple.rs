//! The guards that iterations give out.

use std::hash::Hash;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use ::dashmap::mapref::multiple as original;
use ::dashmap::mapref::one;

use super::explored::Alone;
use super::looking::Ref;
use super::recording::{Guard, Held};
use crate::explored::keyed::Hold;

/// See [`dashmap::mapref::multiple::RefMulti`](original::RefMulti).
pub struct RefMulti<'a, K, V>(Looks<'a, K, V>);

enum Looks<'a, K, V> {
    At(original::RefMulti<'a, K, V>),
    /// In a test that is explored.
    Explored(Ref<'a, K, V>),
}

impl<'a, K: Eq + Hash, V> RefMulti<'a, K, V> {
    pub(in crate::dashmap) fn new(inner: original::RefMulti<'a, K, V>) -> Self {
        RefMulti(Looks::At(inner))
    }

    pub(super) fn explored(inner: one::Ref<'a, K, V>, hold: Arc<Hold<'a>>) -> Self {
        RefMulti(Looks::Explored(Ref::shared(inner, Some(hold))))
    }

    /// The key.
    pub fn key(&self) -> &K {
        self.pair().0
    }

    /// The value.
    pub fn value(&self) -> &V {
        self.pair().1
    }

    /// Both.
    pub fn pair(&self) -> (&K, &V) {
        match &self.0 {
            Looks::At(inner) => inner.pair(),
            Looks::Explored(inner) => inner.pair(),
        }
    }
}

impl<K: Eq + Hash, V> Deref for RefMulti<'_, K, V> {
    type Target = V;

    fn deref(&self) -> &V {
        self.value()
    }
}

/// What may change an entry.
enum Changes<'a, K, V> {
    One(original::RefMutMulti<'a, K, V>),
    /// In a test that is explored.
    Explored(Alone<'a, K, V>),
}

impl<K: Eq + Hash, V> Changes<'_, K, V> {
    fn pair(&self) -> (&K, &V) {
        match self {
            Changes::One(inner) => inner.pair(),
            Changes::Explored(inner) => inner.pair(),
        }
    }

    fn pair_mut(&mut self) -> (&K, &mut V) {
        match self {
            Changes::One(inner) => inner.pair_mut(),
            Changes::Explored(inner) => inner.pair_mut(),
        }
    }
}

/// See [`dashmap::mapref::multiple::RefMutMulti`](original::RefMutMulti).
pub struct RefMutMulti<'a, K, V>(Guard<'a, Changes<'a, K, V>>);

impl<'a, K: Eq + Hash, V> RefMutMulti<'a, K, V> {
    pub(super) fn new(inner: original::RefMutMulti<'a, K, V>, held: Option<Held<'a>>) -> Self {
        Self::of(Changes::One(inner), held)
    }

    pub(super) fn explored(inner: Alone<'a, K, V>, held: Held<'a>) -> Self {
        Self::of(Changes::Explored(inner), Some(held))
    }

    fn of(inner: Changes<'a, K, V>, held: Option<Held<'a>>) -> Self {
        let leave = |held: Held<'a>, inner: &Changes<'a, K, V>| {
            let (key, value) = inner.pair();
            held.leave(key, value);
        };
        RefMutMulti(Guard::new(inner, held, leave))
    }

    /// The key.
    pub fn key(&self) -> &K {
        self.pair().0
    }

    /// The value.
    pub fn value(&self) -> &V {
        self.pair().1
    }

    /// The value.
    pub fn value_mut(&mut self) -> &mut V {
        self.pair_mut().1
    }

    /// Both.
    pub fn pair(&self) -> (&K, &V) {
        self.0.get().pair()
    }

    /// Both.
    pub fn pair_mut(&mut self) -> (&K, &mut V) {
        self.0.get_mut().pair_mut()
    }
}

impl<K: Eq + Hash, V> Deref for RefMutMulti<'_, K, V> {
    type Target = V;

    fn deref(&self) -> &V {
        self.value()
    }
}

impl<K: Eq + Hash, V> DerefMut for RefMutMulti<'_, K, V> {
    fn deref_mut(&mut self) -> &mut V {
        self.value_mut()
    }
}
