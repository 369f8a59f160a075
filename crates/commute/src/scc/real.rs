//! Entries of the original, or what stands for them in a test that is explored.

use std::hash::{BuildHasher, Hash};

use ::scc::hash_map as original;

use super::explored::Explored;
use super::places::Taken;

/// An entry.
pub(super) enum Occupied<'h, K: Eq + Hash, V, H: BuildHasher> {
    Original(original::OccupiedEntry<'h, K, V, H>),
    Explored(Explored<'h, K, V>, Taken<'h, K, V>),
}

/// A place for an entry.
pub(super) enum Vacant<'h, K: Eq + Hash, V, H: BuildHasher> {
    Original(original::VacantEntry<'h, K, V, H>),
    Explored(Explored<'h, K, V>, Taken<'h, K, V>, K),
}

/// An entry that is come across.
pub(super) enum Consumable<'b, K, V> {
    Original(original::ConsumableEntry<'b, K, V>),
    Explored(Taken<'b, K, V>),
}

impl<'h, K: Eq + Hash, V, H: BuildHasher> Occupied<'h, K, V, H> {
    pub(super) fn key(&self) -> &K {
        match self {
            Occupied::Original(inner) => inner.key(),
            Occupied::Explored(_, taken) => &taken.found().0,
        }
    }

    pub(super) fn get(&self) -> &V {
        match self {
            Occupied::Original(inner) => inner.get(),
            Occupied::Explored(_, taken) => &taken.found().1,
        }
    }

    pub(super) fn get_mut(&mut self) -> &mut V {
        match self {
            Occupied::Original(inner) => inner.get_mut(),
            Occupied::Explored(_, taken) => &mut taken.found_mut().1,
        }
    }

    pub(super) fn insert(&mut self, val: V) -> V {
        std::mem::replace(self.get_mut(), val)
    }

    pub(super) fn remove_entry(self) -> (K, V) {
        match self {
            Occupied::Original(inner) => inner.remove_entry(),
            Occupied::Explored(_, mut taken) => taken.remove(),
        }
    }
}

impl<'h, K: Eq + Hash, V, H: BuildHasher> Vacant<'h, K, V, H> {
    pub(super) fn key(&self) -> &K {
        match self {
            Vacant::Original(inner) => inner.key(),
            Vacant::Explored(_, _, key) => key,
        }
    }

    pub(super) fn into_key(self) -> K {
        match self {
            Vacant::Original(inner) => inner.into_key(),
            Vacant::Explored(_, _, key) => key,
        }
    }

    pub(super) fn insert_entry(self, val: V) -> Occupied<'h, K, V, H> {
        match self {
            Vacant::Original(inner) => Occupied::Original(inner.insert_entry(val)),
            Vacant::Explored(map, mut taken, key) => {
                taken.entry = Some(Box::new((key, val)));
                Occupied::Explored(map, taken)
            }
        }
    }
}

impl<K, V> Consumable<'_, K, V> {
    pub(super) fn key(&self) -> &K {
        match self {
            Consumable::Original(inner) => inner.key(),
            Consumable::Explored(taken) => &taken.found().0,
        }
    }

    pub(super) fn get(&self) -> &V {
        match self {
            Consumable::Original(inner) => inner,
            Consumable::Explored(taken) => &taken.found().1,
        }
    }

    pub(super) fn get_mut(&mut self) -> &mut V {
        match self {
            Consumable::Original(inner) => inner,
            Consumable::Explored(taken) => &mut taken.found_mut().1,
        }
    }

    pub(super) fn consume(self) -> (K, V) {
        match self {
            Consumable::Original(inner) => inner.consume(),
            Consumable::Explored(mut taken) => taken.remove(),
        }
    }
}
