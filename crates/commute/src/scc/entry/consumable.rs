//! Entries that an iteration comes across.

use std::ops::{Deref, DerefMut};

use ::scc::hash_map as original;
use commute_record::{Tag, is_on, value_of};

use crate::keyed::{At, Guard, Held};
use crate::scc::explored::Alone;
use crate::scc::real::Consumable;

/// As [`scc::hash_map::ConsumableEntry`](original::ConsumableEntry).
pub struct ConsumableEntry<'b, K, V> {
    guard: Guard<'b, Consumable<'b, K, V>>,
}

impl<'b, K, V> ConsumableEntry<'b, K, V> {
    pub(in crate::scc) fn new(
        inner: original::ConsumableEntry<'b, K, V>,
        tag: &'b Tag,
        at: At,
    ) -> Self {
        let before = is_on().then(|| value_of(&*inner));
        let held = Held::new(tag, at, before);
        Self::holding(Consumable::Original(inner), held)
    }

    /// In a test that is explored.
    pub(in crate::scc) fn explored((taken, held): Alone<'b, K, V>) -> Self {
        Self::holding(Consumable::Explored(taken), held)
    }

    fn holding(inner: Consumable<'b, K, V>, held: Option<Held<'b>>) -> Self {
        let guard = Guard::new(inner, held, |held, inner| {
            held.leave(inner.key(), inner.get())
        });
        ConsumableEntry { guard }
    }

    /// The key, and a value that may be changed; in a test that is explored.
    pub(in crate::scc) fn pair_mut(&mut self) -> Option<(&K, &mut V)> {
        match self.guard.get_mut() {
            Consumable::Original(_) => None,
            Consumable::Explored(taken) => { taken.entry.as_deref_mut() }.map(|(k, v)| (&*k, v)),
        }
    }

    /// As the original's.
    #[must_use]
    pub fn consume(self) -> (K, V) {
        let (inner, held) = self.guard.into_parts();
        if let Some(held) = held {
            held.consume(inner.key());
        }
        inner.consume()
    }

    /// As the original's.
    #[must_use]
    pub fn key(&self) -> &K {
        self.guard.get().key()
    }
}

impl<K, V> Deref for ConsumableEntry<'_, K, V> {
    type Target = V;

    fn deref(&self) -> &V {
        self.guard.get().get()
    }
}

impl<K, V> DerefMut for ConsumableEntry<'_, K, V> {
    fn deref_mut(&mut self) -> &mut V {
        self.guard.get_mut().get_mut()
    }
}
