//! Entries of a map, whose bucket is locked as long as they live.

mod consumable;
mod replaced;

use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::ops::{Deref, DerefMut};

use ::scc::hash_map as original;
use commute_record::{is_on, value_of};

use super::explored::{Alone, Explored};
use super::places::Taken;
use super::real::{Occupied, Vacant};
use super::seen::Seen;
use crate::keyed::{At, Guard, Held};

pub use self::consumable::ConsumableEntry;
pub use self::replaced::ReplaceResult;

/// As [`scc::hash_map::Entry`](original::Entry).
pub enum Entry<'h, K: Eq + Hash, V, H: BuildHasher = RandomState> {
    /// The key is there.
    Occupied(OccupiedEntry<'h, K, V, H>),
    /// It is not.
    Vacant(VacantEntry<'h, K, V, H>),
}

/// As [`scc::hash_map::OccupiedEntry`](original::OccupiedEntry).
pub struct OccupiedEntry<'h, K: Eq + Hash, V, H: BuildHasher = RandomState> {
    guard: Guard<'h, Occupied<'h, K, V, H>>,
    seen: &'h Seen,
    at: At,
}

/// As [`scc::hash_map::VacantEntry`](original::VacantEntry).
pub struct VacantEntry<'h, K: Eq + Hash, V, H: BuildHasher = RandomState> {
    guard: Guard<'h, Vacant<'h, K, V, H>>,
    seen: &'h Seen,
    at: At,
}

impl<'h, K: Eq + Hash, V, H: BuildHasher> Entry<'h, K, V, H> {
    pub(super) fn new(inner: original::Entry<'h, K, V, H>, seen: &'h Seen, at: At) -> Self {
        match inner {
            original::Entry::Occupied(inner) => {
                Entry::Occupied(OccupiedEntry::new(inner, seen, at))
            }
            original::Entry::Vacant(inner) => Entry::Vacant(VacantEntry::new(inner, seen, at)),
        }
    }

    /// In a test that is explored.
    pub(super) fn explored(
        map: Explored<'h, K, V>,
        alone: Alone<'h, K, V>,
        key: K,
        seen: &'h Seen,
        at: At,
    ) -> Self {
        match alone.0.entry.is_some() {
            true => Entry::Occupied(OccupiedEntry::explored(map, alone, seen, at)),
            false => Entry::Vacant(VacantEntry::explored(map, alone, key, seen, at)),
        }
    }

    /// As the original's.
    pub fn or_insert(self, val: V) -> OccupiedEntry<'h, K, V, H> {
        self.or_insert_with(|| val)
    }

    /// As the original's.
    pub fn or_insert_with<F: FnOnce() -> V>(self, constructor: F) -> OccupiedEntry<'h, K, V, H> {
        self.or_insert_with_key(|_| constructor())
    }

    /// As the original's.
    pub fn or_insert_with_key<F: FnOnce(&K) -> V>(
        self,
        constructor: F,
    ) -> OccupiedEntry<'h, K, V, H> {
        match self {
            Entry::Occupied(entry) => entry,
            Entry::Vacant(entry) => {
                let val = constructor(entry.key());
                entry.insert_entry(val)
            }
        }
    }

    /// As the original's.
    pub fn or_default(self) -> OccupiedEntry<'h, K, V, H>
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// As the original's.
    pub fn key(&self) -> &K {
        match self {
            Entry::Occupied(entry) => entry.key(),
            Entry::Vacant(entry) => entry.key(),
        }
    }

    /// As the original's.
    #[must_use]
    pub fn and_modify<F: FnOnce(&mut V)>(mut self, f: F) -> Self {
        if let Entry::Occupied(entry) = &mut self {
            f(entry.get_mut());
        }
        self
    }

    /// As the original's.
    pub fn insert_entry(self, val: V) -> OccupiedEntry<'h, K, V, H> {
        match self {
            Entry::Occupied(mut entry) => {
                entry.insert(val);
                entry
            }
            Entry::Vacant(entry) => entry.insert_entry(val),
        }
    }
}

impl<'h, K: Eq + Hash, V, H: BuildHasher> OccupiedEntry<'h, K, V, H> {
    pub(super) fn new(inner: original::OccupiedEntry<'h, K, V, H>, seen: &'h Seen, at: At) -> Self {
        let before = is_on().then(|| value_of(inner.get()));
        let held = Held::new(&seen.tag, at, before);
        Self::holding(Occupied::Original(inner), held, seen, at)
    }

    /// In a test that is explored.
    pub(super) fn explored(
        map: Explored<'h, K, V>,
        (taken, held): Alone<'h, K, V>,
        seen: &'h Seen,
        at: At,
    ) -> Self {
        Self::holding(Occupied::Explored(map, taken), held, seen, at)
    }

    fn holding(
        inner: Occupied<'h, K, V, H>,
        held: Option<Held<'h>>,
        seen: &'h Seen,
        at: At,
    ) -> Self {
        let guard = Guard::new(inner, held, |held, inner| {
            held.leave(inner.key(), inner.get())
        });
        OccupiedEntry { guard, seen, at }
    }

    /// As the original's.
    pub fn key(&self) -> &K {
        self.guard.get().key()
    }

    /// As the original's.
    pub fn get(&self) -> &V {
        self.guard.get().get()
    }

    /// As the original's.
    pub fn get_mut(&mut self) -> &mut V {
        self.guard.get_mut().get_mut()
    }

    /// As the original's.
    pub fn insert(&mut self, val: V) -> V {
        self.guard.get_mut().insert(val)
    }

    /// As the original's.
    #[must_use]
    pub fn remove(self) -> V {
        self.remove_entry().1
    }

    /// As the original's.
    #[must_use]
    pub fn remove_entry(self) -> (K, V) {
        let (inner, held) = self.guard.into_parts();
        if let Some(held) = held {
            held.remove(inner.key());
        }
        inner.remove_entry()
    }

    /// As the original's.
    #[must_use]
    pub fn next_sync(self) -> Option<Self> {
        let OccupiedEntry { guard, seen, at } = self;
        match guard.into_inner() {
            Occupied::Original(inner) => Some(OccupiedEntry::new(inner.next_sync()?, seen, at)),
            Occupied::Explored(map, taken) => Self::after(map, taken, seen, at),
        }
    }

    /// In a test that is explored: the entry after one that is given back.
    fn after(
        map: Explored<'h, K, V>,
        taken: Taken<'h, K, V>,
        seen: &'h Seen,
        at: At,
    ) -> Option<Self> {
        let next = map.any(Some(taken.give_back()), |_, _| true)?;
        Some(OccupiedEntry::explored(map, next, seen, at))
    }

    /// As the original's.
    pub async fn next_async(self) -> Option<OccupiedEntry<'h, K, V, H>> {
        let OccupiedEntry { guard, seen, at } = self;
        match guard.into_inner() {
            Occupied::Original(inner) => {
                let next = inner.next_async().await?;
                Some(OccupiedEntry::new(next, seen, at))
            }
            Occupied::Explored(map, taken) => Self::after(map, taken, seen, at),
        }
    }

    /// As the original's.
    pub async fn remove_and_async(self) -> ((K, V), Option<OccupiedEntry<'h, K, V, H>>) {
        let OccupiedEntry { guard, seen, at } = self;
        let (inner, held) = guard.into_parts();
        if let Some(held) = held {
            held.remove(inner.key());
        }
        match inner {
            Occupied::Original(inner) => {
                let (removed, next) = inner.remove_and_async().await;
                (removed, next.map(|next| OccupiedEntry::new(next, seen, at)))
            }
            Occupied::Explored(map, mut taken) => {
                let removed = taken.remove();
                (removed, Self::after(map, taken, seen, at))
            }
        }
    }

    /// As the original's.
    #[must_use]
    pub fn remove_and_sync(self) -> ((K, V), Option<Self>) {
        let OccupiedEntry { guard, seen, at } = self;
        let (inner, held) = guard.into_parts();
        if let Some(held) = held {
            held.remove(inner.key());
        }
        match inner {
            Occupied::Original(inner) => {
                let (removed, next) = inner.remove_and_sync();
                (removed, next.map(|next| OccupiedEntry::new(next, seen, at)))
            }
            Occupied::Explored(map, mut taken) => {
                let removed = taken.remove();
                (removed, Self::after(map, taken, seen, at))
            }
        }
    }
}

impl<'h, K: Eq + Hash, V, H: BuildHasher> VacantEntry<'h, K, V, H> {
    pub(super) fn new(inner: original::VacantEntry<'h, K, V, H>, seen: &'h Seen, at: At) -> Self {
        let held = Held::new(&seen.tag, at, None);
        Self::holding(Vacant::Original(inner), held, seen, at)
    }

    /// In a test that is explored.
    pub(super) fn explored(
        map: Explored<'h, K, V>,
        (taken, held): Alone<'h, K, V>,
        key: K,
        seen: &'h Seen,
        at: At,
    ) -> Self {
        Self::holding(Vacant::Explored(map, taken, key), held, seen, at)
    }

    fn holding(inner: Vacant<'h, K, V, H>, held: Option<Held<'h>>, seen: &'h Seen, at: At) -> Self {
        let guard = Guard::new(inner, held, |held, inner| held.leave_absent(inner.key()));
        VacantEntry { guard, seen, at }
    }

    /// As the original's.
    pub fn key(&self) -> &K {
        self.guard.get().key()
    }

    /// As the original's.
    pub fn into_key(self) -> K {
        self.guard.into_inner().into_key()
    }

    /// As the original's.
    pub fn insert_entry(self, val: V) -> OccupiedEntry<'h, K, V, H> {
        let VacantEntry { guard, seen, at } = self;
        // That there was nothing is recorded with what will be there.
        let (inner, held) = guard.into_parts();
        seen.count_insertion();
        let inner = inner.insert_entry(val);
        if let Some(held) = &held {
            held.inserted(inner.get());
        }
        OccupiedEntry::holding(inner, held, seen, at)
    }
}

impl<K: Eq + Hash, V, H: BuildHasher> Deref for OccupiedEntry<'_, K, V, H> {
    type Target = V;

    fn deref(&self) -> &V {
        self.get()
    }
}

impl<K: Eq + Hash, V, H: BuildHasher> DerefMut for OccupiedEntry<'_, K, V, H> {
    fn deref_mut(&mut self) -> &mut V {
        self.get_mut()
    }
}

impl<K: Eq + Hash + fmt::Debug, V: fmt::Debug, H: BuildHasher> fmt::Debug
    for OccupiedEntry<'_, K, V, H>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OccupiedEntry")
            .field("key", self.key())
            .field("value", self.get())
            .finish_non_exhaustive()
    }
}

impl<K: Eq + Hash + fmt::Debug, V: fmt::Debug, H: BuildHasher> fmt::Debug
    for VacantEntry<'_, K, V, H>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(self.key()).finish()
    }
}
