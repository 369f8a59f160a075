//! The set: a map without values.

use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::panic::Location;

use ::scc::Equivalent;
use ::scc::hash_map as original;
use commute_record::{Kind, Method, Raw, is_on, value_of};

use super::seen::Seen;
use crate::keyed::{At, CONTAINS, INSERT, IS_EMPTY, LEN, REMOVE, record};

static SET: Kind = Kind::object("scc_set", "hashset");

/// As [`scc::HashSet`](::scc::HashSet).
pub struct HashSet<K, H: BuildHasher = RandomState> {
    inner: original::HashMap<K, (), H>,
    pub(crate) seen: Seen,
}

impl<K, H: BuildHasher> HashSet<K, H> {
    #[track_caller]
    const fn of(inner: original::HashMap<K, (), H>) -> Self {
        let seen = Seen::new(&SET);
        HashSet { inner, seen }
    }

    /// As the original's.
    #[track_caller]
    pub const fn with_hasher(build_hasher: H) -> Self {
        Self::of(original::HashMap::with_hasher(build_hasher))
    }

    /// As the original's.
    #[track_caller]
    pub fn with_capacity_and_hasher(capacity: usize, build_hasher: H) -> Self {
        Self::of(original::HashMap::with_capacity_and_hasher(
            capacity,
            build_hasher,
        ))
    }
}

impl<K: Eq + Hash> HashSet<K, RandomState> {
    /// As the original's.
    #[track_caller]
    pub fn new() -> Self {
        Self::of(original::HashMap::new())
    }

    /// As the original's.
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::of(original::HashMap::with_capacity(capacity))
    }
}

impl<K: Eq + Hash, H: BuildHasher> HashSet<K, H> {
    fn say<Q: ?Sized>(&self, method: &Method, at: At, key: &Q, result: bool) {
        if is_on() {
            let results = [Raw::Bool(result)];
            record(&self.seen.tag, method, at, &[value_of(key)], &results);
        }
    }

    /// Whether nothing was found, after looking.
    fn absent<Q: ?Sized>(&self, since: u64, method: &Method, at: At, key: &Q) -> bool {
        let result = Raw::Bool(false);
        !is_on() || self.seen.absent(since, method, at, value_of(key), result)
    }

    /// As the original's.
    #[track_caller]
    pub fn insert_sync(&self, key: K) -> Result<(), K> {
        if !is_on() {
            let inserted = self.inner.insert_sync(key, ());
            return inserted.map_err(|(key, ())| key);
        }
        let at = Location::caller();
        // To look first keeps the key, which an entry that is occupied would not.
        if let Some(entry) = self.inner.get_sync(&key) {
            self.say(&INSERT, at, &key, false);
            drop(entry);
            return Err(key);
        }
        match self.inner.replace_sync(key) {
            original::ReplaceResult::NotReplaced(entry) => {
                self.seen.count_insertion();
                let entry = entry.insert_entry(());
                self.say(&INSERT, at, entry.key(), true);
                Ok(())
            }
            original::ReplaceResult::Replaced(entry, other) => {
                self.say(&INSERT, at, entry.key(), false);
                drop(entry);
                match self.inner.replace_sync(other) {
                    original::ReplaceResult::Replaced(_, key) => Err(key),
                    original::ReplaceResult::NotReplaced(entry) => Err(entry.into_key()),
                }
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn remove_sync<Q>(&self, key: &Q) -> Option<K>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        self.remove_if_sync(key, || true)
    }

    /// As the original's.
    #[track_caller]
    pub fn remove_if_sync<Q, F: FnOnce() -> bool>(&self, key: &Q, condition: F) -> Option<K>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        let mut condition = Some(condition);
        loop {
            let since = self.seen.now();
            let removed = self.inner.remove_if_sync(key, |()| {
                let goes = condition.take().is_some_and(|condition| condition());
                self.say(if goes { &REMOVE } else { &CONTAINS }, at, key, true);
                goes
            });
            if condition.is_none() || self.absent(since, &REMOVE, at, key) {
                return removed.map(|(key, ())| key);
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn read_sync<Q, R, F: FnOnce(&K) -> R>(&self, key: &Q, reader: F) -> Option<R>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        let mut reader = Some(reader);
        loop {
            let since = self.seen.now();
            let read = self.inner.read_sync(key, |k, ()| {
                self.say(&CONTAINS, at, k, true);
                reader.take().map(|reader| reader(k))
            });
            if read.is_some() || self.absent(since, &CONTAINS, at, key) {
                return read.flatten();
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn contains_sync<Q>(&self, key: &Q) -> bool
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        self.read_sync(key, |_| ()).is_some()
    }

    /// As the original's.
    #[track_caller]
    pub fn iter_sync<F: FnMut(&K) -> bool>(&self, mut f: F) -> bool {
        let at = Location::caller();
        self.inner.iter_sync(|k, ()| {
            self.say(&CONTAINS, at, k, true);
            f(k)
        })
    }

    /// As the original's.
    #[track_caller]
    pub fn retain_sync<F: FnMut(&K) -> bool>(&self, mut pred: F) {
        let at = Location::caller();
        self.inner.retain_sync(|k, ()| {
            let stays = pred(k);
            self.say(if stays { &CONTAINS } else { &REMOVE }, at, k, true);
            stays
        });
    }

    /// As the original's.
    #[track_caller]
    pub fn clear_sync(&self) {
        self.retain_sync(|_| false);
    }

    /// As the original's.
    #[track_caller]
    pub fn len(&self) -> usize {
        let len = self.inner.len();
        if is_on() {
            record(
                &self.seen.tag,
                &LEN,
                Location::caller(),
                &[],
                &[Raw::Opaque],
            );
        }
        len
    }

    /// As the original's.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        let is_empty = self.inner.is_empty();
        if is_on() {
            let at = Location::caller();
            record(&self.seen.tag, &IS_EMPTY, at, &[], &[Raw::Opaque]);
        }
        is_empty
    }

    /// As the original's.
    pub fn capacity(&self) -> usize {
        self.inner.capacity()
    }
}

impl<K: Clone + Eq + Hash, H: BuildHasher + Clone> Clone for HashSet<K, H> {
    #[track_caller]
    fn clone(&self) -> Self {
        let clone = Self::of(self.inner.clone());
        let at = Location::caller();
        clone.inner.iter_sync(|k, ()| {
            clone.say(&INSERT, at, k, true);
            true
        });
        clone
    }
}

impl<K: fmt::Debug + Eq + Hash, H: BuildHasher> fmt::Debug for HashSet<K, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut d = f.debug_set();
        self.inner.iter_sync(|k, ()| {
            d.entry(k);
            true
        });
        d.finish()
    }
}

impl<K, H: BuildHasher + Default> Default for HashSet<K, H> {
    #[track_caller]
    fn default() -> Self {
        Self::with_hasher(H::default())
    }
}

impl<K: Eq + Hash, H: BuildHasher + Default> FromIterator<K> for HashSet<K, H> {
    #[track_caller]
    fn from_iter<T: IntoIterator<Item = K>>(iter: T) -> Self {
        let set = Self::default();
        for key in iter {
            let _ = set.insert_sync(key);
        }
        set
    }
}
