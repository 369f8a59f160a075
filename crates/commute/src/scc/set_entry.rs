//! Elements of a set, whose bucket is locked as long as their guards live.

use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::ops::Deref;

use ::scc::hash_map as original;
use commute_record::{Method, Raw, is_on, value_of};

use super::seen::Seen;
use crate::keyed::{At, CONTAINS, REMOVE, record};

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
    inner: Option<original::OccupiedEntry<'h, K, (), H>>,
    seen: &'h Seen,
    at: At,
}

/// As [`scc::hash_set::ConsumableEntry`](::scc::hash_set::ConsumableEntry).
pub struct ConsumableEntry<'w, K> {
    /// `None` when it is consumed.
    inner: Option<original::ConsumableEntry<'w, K, ()>>,
    seen: &'w Seen,
    at: At,
}

impl<'h, K: Eq + Hash, H: BuildHasher> OccupiedEntry<'h, K, H> {
    pub(super) fn new(
        inner: original::OccupiedEntry<'h, K, (), H>,
        seen: &'h Seen,
        at: At,
    ) -> Self {
        let inner = Some(inner);
        OccupiedEntry { inner, seen, at }
    }

    /// As the original's.
    pub fn get(&self) -> &K {
        self.inner.as_ref().expect(WHOLE).key()
    }

    /// The original, of which something was recorded.
    fn into_inner(mut self, method: &Method) -> original::OccupiedEntry<'h, K, (), H> {
        let inner = self.inner.take().expect(WHOLE);
        say(self.seen, method, self.at, inner.key());
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
        let ((key, ()), next) = self.into_inner(&REMOVE).remove_and_sync();
        (key, next.map(|next| OccupiedEntry::new(next, seen, at)))
    }

    /// As the original's.
    pub async fn remove_and_async(self) -> (K, Option<OccupiedEntry<'h, K, H>>) {
        let (seen, at) = (self.seen, self.at);
        let ((key, ()), next) = self.into_inner(&REMOVE).remove_and_async().await;
        (key, next.map(|next| OccupiedEntry::new(next, seen, at)))
    }

    /// As the original's.
    #[must_use]
    pub fn next_sync(self) -> Option<Self> {
        let (seen, at) = (self.seen, self.at);
        let next = self.into_inner(&CONTAINS).next_sync()?;
        Some(OccupiedEntry::new(next, seen, at))
    }

    /// As the original's.
    pub async fn next_async(self) -> Option<OccupiedEntry<'h, K, H>> {
        let (seen, at) = (self.seen, self.at);
        let next = self.into_inner(&CONTAINS).next_async().await?;
        Some(OccupiedEntry::new(next, seen, at))
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
        let inner = Some(inner);
        ConsumableEntry { inner, seen, at }
    }

    /// As the original's.
    #[must_use]
    pub fn consume(mut self) -> K {
        let inner = self.inner.take().expect(WHOLE);
        say(self.seen, &REMOVE, self.at, inner.key());
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
