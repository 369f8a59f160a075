//! The guard that `iter_mut` gives out.

use std::hash::Hash;
use std::ops::{Deref, DerefMut};

use ::dashmap::mapref::multiple as original;

use super::recording::{Guard, Held};

/// See [`dashmap::mapref::multiple::RefMutMulti`](original::RefMutMulti).
pub struct RefMutMulti<'a, K, V>(Guard<'a, original::RefMutMulti<'a, K, V>>);

impl<'a, K: Eq + Hash, V> RefMutMulti<'a, K, V> {
    pub(super) fn new(inner: original::RefMutMulti<'a, K, V>, held: Option<Held<'a>>) -> Self {
        let leave = |held: Held<'a>, inner: &original::RefMutMulti<'a, K, V>| {
            held.leave(inner.key(), inner.value());
        };
        RefMutMulti(Guard::new(inner, held, leave))
    }

    /// The key.
    pub fn key(&self) -> &K {
        self.0.get().key()
    }

    /// The value.
    pub fn value(&self) -> &V {
        self.0.get().value()
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
