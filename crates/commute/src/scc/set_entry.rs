//! Elements of a set, whose bucket is locked as long as their guards live.

use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::ops::Deref;

use ::scc::hash_map as original;
use commute_record::{Method, Raw, is_on, value_of};

use super::explored::{Alone, Explored};
use super::places::Taken;
use super::real::{Consumable, Occupied};
use super::seen::Seen;
use crate::keyed::{At, CONTAINS, Held, REMOVE, record};

const WHOLE: &str = "taken only by what consumes the entry";

fn say<K>(seen: &Seen, method: &Method, at: At, key: &K) {
    if is_on() {
        record(&seen.tag, method, at, &[value_of(key)], &[Raw::Bool(true)]);
    }
}

/// As [`scc::hash_set::OccupiedEntry`](::scc::hash_set::OccupiedEntry). That the element
/// is there is recorded when the guard goes, unless the element does.
pub struct OccupiedEntry<'h, K: Eq + Hash, H: BuildHasher = RandomState> {
    /// `None` when it is consumed.
    inner: Option<Occupied<'h, K, (), H>>,
    /// In a test that is explored.
    held: Option<Held<'h>>,
    seen: &'h Seen,
    at: At,
}

/// As [`scc::hash_set::ConsumableEntry`](::scc::hash_set::ConsumableEntry).
pub struct ConsumableEntry<'w, K> {
    /// `None` when it is consumed.
    inner: Option<Consumable<'w, K, ()>>,
    /// In a test that is explored.
    held: Option<Held<'w>>,
    seen: &'w Seen,
    at: At,
}

impl<'h, K: Eq + Hash, H: BuildHasher> OccupiedEntry<'h, K, H> {
    pub(super) fn new(
        inner: original::OccupiedEntry<'h, K, (), H>,
        seen: &'h Seen,
        at: At,
    ) -> Self {
        OccupiedEntry {
            inner: Some(Occupied::Original(inner)),
            held: None,
            seen,
            at,
        }
    }

    /// In a test that is explored.
    pub(super) fn explored(
        set: Explored<'h, K, ()>,
        (taken, held): Alone<'h, K, ()>,
        seen: &'h Seen,
        at: At,
    ) -> Self {
        OccupiedEntry {
            inner: Some(Occupied::Explored(set, taken)),
            held,
            seen,
            at,
        }
    }

    /// In a test that is explored: the element after one that is given back.
    fn after(
        set: Explored<'h, K, ()>,
        taken: Taken<'h, K, ()>,
        seen: &'h Seen,
        at: At,
    ) -> Option<Self> {
        let next = set.any(Some(taken.give_back()), |_, ()| true)?;
        Some(OccupiedEntry::explored(set, next, seen, at))
    }

    /// As the original's.
    pub fn get(&self) -> &K {
        self.inner.as_ref().expect(WHOLE).key()
    }

    /// The original, of which something was recorded.
    fn into_inner(mut self, method: &Method) -> Occupied<'h, K, (), H> {
        let inner = self.inner.take().expect(WHOLE);
        say(self.seen, method, self.at, inner.key());
        if let Some(held) = self.held.take().filter(|_| std::ptr::eq(method, &REMOVE)) {
            held.remove(inner.key());
        }
        inner
    }

    /// As the original's.
    #[must_use]
    pub fn remove_entry(self) -> K {
        self.into_inner(&REMOVE).remove_entry().0
    }

    /// As the original's.
    #[must_use]
    pub fn remove_and_sync(self) -> (K, Option<Self>) {
        let (seen, at) = (self.seen, self.at);
        match self.into_inner(&REMOVE) {
            Occupied::Original(inner) => {
                let ((key, ()), next) = inner.remove_and_sync();
                (key, next.map(|next| OccupiedEntry::new(next, seen, at)))
            }
            Occupied::Explored(set, mut taken) => {
                let (key, ()) = taken.remove();
                (key, Self::after(set, taken, seen, at))
            }
        }
    }

    /// As the original's.
    pub async fn remove_and_async(self) -> (K, Option<OccupiedEntry<'h, K, H>>) {
        let (seen, at) = (self.seen, self.at);
        match self.into_inner(&REMOVE) {
            Occupied::Original(inner) => {
                let ((key, ()), next) = inner.remove_and_async().await;
                (key, next.map(|next| OccupiedEntry::new(next, seen, at)))
            }
            Occupied::Explored(set, mut taken) => {
                let (key, ()) = taken.remove();
                (key, Self::after(set, taken, seen, at))
            }
        }
    }

    /// As the original's.
    #[must_use]
    pub fn next_sync(self) -> Option<Self> {
        let (seen, at) = (self.seen, self.at);
        match self.into_inner(&CONTAINS) {
            Occupied::Original(inner) => Some(OccupiedEntry::new(inner.next_sync()?, seen, at)),
            Occupied::Explored(set, taken) => Self::after(set, taken, seen, at),
        }
    }

    /// As the original's.
    pub async fn next_async(self) -> Option<OccupiedEntry<'h, K, H>> {
        let (seen, at) = (self.seen, self.at);
        match self.into_inner(&CONTAINS) {
            Occupied::Original(inner) => {
                let next = inner.next_async().await?;
                Some(OccupiedEntry::new(next, seen, at))
            }
            Occupied::Explored(set, taken) => Self::after(set, taken, seen, at),
        }
    }
}

impl<K: Eq + Hash, H: BuildHasher> Drop for OccupiedEntry<'_, K, H> {
    fn drop(&mut self) {
        if let Some(inner) = &self.inner {
            say(self.seen, &CONTAINS, self.at, inner.key());
        }
    }
}

impl<K: Eq + Hash, H: BuildHasher> Deref for OccupiedEntry<'_, K, H> {
    type Target = K;

    fn deref(&self) -> &K {
        self.get()
    }
}

impl<K: Eq + Hash + fmt::Debug, H: BuildHasher> fmt::Debug for OccupiedEntry<'_, K, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut d = f.debug_struct("OccupiedEntry");
        d.field("key", self.get()).finish_non_exhaustive()
    }
}

impl<'w, K> ConsumableEntry<'w, K> {
    pub(super) fn new(inner: original::ConsumableEntry<'w, K, ()>, seen: &'w Seen, at: At) -> Self {
        ConsumableEntry {
            inner: Some(Consumable::Original(inner)),
            held: None,
            seen,
            at,
        }
    }

    /// In a test that is explored.
    pub(super) fn explored((taken, held): Alone<'w, K, ()>, seen: &'w Seen, at: At) -> Self {
        ConsumableEntry {
            inner: Some(Consumable::Explored(taken)),
            held,
            seen,
            at,
        }
    }

    /// As the original's.
    #[must_use]
    pub fn consume(mut self) -> K {
        let inner = self.inner.take().expect(WHOLE);
        say(self.seen, &REMOVE, self.at, inner.key());
        if let Some(held) = self.held.take() {
            held.consume(inner.key());
        }
        inner.consume().0
    }
}

impl<K> Drop for ConsumableEntry<'_, K> {
    fn drop(&mut self) {
        if let Some(inner) = &self.inner {
            say(self.seen, &CONTAINS, self.at, inner.key());
        }
    }
}

impl<K> Deref for ConsumableEntry<'_, K> {
    type Target = K;

    fn deref(&self) -> &K {
        self.inner.as_ref().expect(WHOLE).key()
    }
}
