//! The set: a map without values.

use std::hash::{BuildHasher, Hash, RandomState};
use std::ops::RangeInclusive;
use std::panic::Location;

use ::scc::Equivalent;
use ::scc::hash_map as original;
use commute_explore::models::Values;
use commute_record::{Kind, Method, Raw, is_on, value_of};

use super::explored::Explored;
use super::places::Places;
use super::seen::Seen;
use super::set_entry::{ConsumableEntry, OccupiedEntry};
use super::whole::retain;
use crate::compose::offered;
use crate::explored::unseen;
use crate::keyed::{At, CONTAINS, INSERT, IS_EMPTY, LEN, REMOVE, record};

static SET: Kind = Kind::object("scc_set", "hashset");

/// As [`scc::HashSet`](::scc::HashSet).
pub struct HashSet<K, H: BuildHasher = RandomState> {
    pub(super) inner: original::HashMap<K, (), H>,
    pub(crate) seen: Seen,
    /// What is in it in a test that is explored.
    pub(super) places: Places<K, ()>,
}

/// What became of a key that was to replace one that is equal to it.
pub(super) enum Replaced<K> {
    /// There was none, and now there is.
    New,
    /// This one was there.
    Old(K),
}

impl<K, H: BuildHasher> HashSet<K, H> {
    #[track_caller]
    pub(super) const fn of(inner: original::HashMap<K, (), H>) -> Self {
        HashSet {
            inner,
            seen: Seen::new(&SET),
            places: Places::new(),
        }
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
    /// In a test that is explored.
    pub(super) fn explored(&self, at: At) -> Option<Explored<'_, K, ()>> {
        let has_others = || !self.inner.is_empty();
        let explored = (self.places).explored(&self.seen.tag, at, Values::None, has_others)?;
        offered::table::<Self, K, ()>(self, &self.seen.tag, true);
        Some(explored)
    }

    pub(super) fn say<Q: ?Sized>(&self, method: &Method, at: At, key: &Q, result: bool) {
        if is_on() {
            let results = [Raw::Bool(result)];
            record(&self.seen.tag, method, at, &[value_of(key)], &results);
        }
    }

    /// Whether nothing was found, after looking.
    pub(super) fn absent<Q: ?Sized>(&self, since: u64, method: &Method, at: At, key: &Q) -> bool {
        let result = Raw::Bool(false);
        !is_on() || self.seen.absent(since, method, at, value_of(key), result)
    }

    /// With the bucket locked.
    pub(super) fn refuse(&self, key: &K, at: At) {
        self.say(&INSERT, at, key, false);
    }

    /// With the bucket locked, which it then is no longer.
    pub(super) fn replaced(
        &self,
        result: original::ReplaceResult<'_, K, (), H>,
        at: At,
    ) -> Replaced<K> {
        match result {
            original::ReplaceResult::NotReplaced(entry) => {
                self.seen.count_insertion();
                let entry = entry.insert_entry(());
                self.say(&INSERT, at, entry.key(), true);
                Replaced::New
            }
            original::ReplaceResult::Replaced(entry, other) => {
                self.refuse(entry.key(), at);
                Replaced::Old(other)
            }
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn insert_sync(&self, key: K) -> Result<(), K> {
        let at = Location::caller();
        if let Some(set) = self.explored(at) {
            return set.insert(key, ()).map_err(|(key, ())| key);
        }
        if !is_on() {
            let inserted = self.inner.insert_sync(key, ());
            return inserted.map_err(|(key, ())| key);
        }
        // To look first keeps the key, which an entry that is occupied would not.
        if let Some(entry) = self.inner.get_sync(&key) {
            self.refuse(&key, at);
            drop(entry);
            return Err(key);
        }
        match self.replaced(self.inner.replace_sync(key), at) {
            Replaced::New => Ok(()),
            Replaced::Old(other) => Err(match self.inner.replace_sync(other) {
                original::ReplaceResult::Replaced(_, key) => key,
                original::ReplaceResult::NotReplaced(entry) => entry.into_key(),
            }),
        }
    }

    /// As the original's: a key that is there is replaced by one that is equal to it.
    #[track_caller]
    pub fn replace_sync(&self, key: K) -> Option<K> {
        let at = Location::caller();
        if let Some(set) = self.explored(at) {
            return set.upsert(key, (), false).map(|(before, ())| before);
        }
        match self.replaced(self.inner.replace_sync(key), at) {
            Replaced::New => None,
            Replaced::Old(key) => Some(key),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn remove_sync<Q>(&self, key: &Q) -> Option<K>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        match self.explored(Location::caller()) {
            Some(set) => set.remove(key).map(|(key, ())| key),
            None => self.remove_if_sync(key, || true),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn remove_if_sync<Q, F: FnOnce() -> bool>(&self, key: &Q, condition: F) -> Option<K>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let at = Location::caller();
        if let Some(set) = self.explored(at) {
            let removed = set.remove_if(key, |()| condition());
            return removed.map(|(key, ())| key);
        }
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
        if let Some(set) = self.explored(at) {
            return set.read(key, |k, ()| reader(k));
        }
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
        match self.explored(Location::caller()) {
            Some(set) => set.contains(key),
            None => self.read_sync(key, |_| ()).is_some(),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn iter_sync<F: FnMut(&K) -> bool>(&self, mut f: F) -> bool {
        let at = Location::caller();
        if let Some(set) = self.explored(at) {
            return set.iter(|k, ()| f(k));
        }
        self.inner.iter_sync(|k, ()| {
            self.say(&CONTAINS, at, k, true);
            f(k)
        })
    }

    /// As the original's.
    #[track_caller]
    pub fn iter_mut_sync<F: FnMut(ConsumableEntry<'_, K>) -> bool>(&self, mut f: F) -> bool {
        let at = Location::caller();
        if let Some(set) = self.explored(at) {
            return set.iter_mut(|alone| f(ConsumableEntry::explored(alone, &self.seen, at)));
        }
        let inner = &self.inner;
        inner.iter_mut_sync(|entry| f(ConsumableEntry::new(entry, &self.seen, at)))
    }

    /// As the original's.
    #[track_caller]
    pub fn begin_sync(&self) -> Option<OccupiedEntry<'_, K, H>> {
        self.any_sync(|_| true)
    }

    /// As the original's.
    #[track_caller]
    pub fn any_sync<P: FnMut(&K) -> bool>(&self, mut pred: P) -> Option<OccupiedEntry<'_, K, H>> {
        let at = Location::caller();
        if let Some(set) = self.explored(at) {
            let found = set.any(None, |k, ()| pred(k))?;
            return Some(OccupiedEntry::explored(set, found, &self.seen, at));
        }
        let pred = |k: &K, (): &()| self.decides(&mut pred, k, at);
        let inner = self.inner.any_sync(pred)?;
        Some(OccupiedEntry::new(inner, &self.seen, at))
    }

    /// Whether an element is the one that is looked for. That one is recorded when its
    /// guard goes.
    pub(super) fn decides(&self, pred: &mut impl FnMut(&K) -> bool, key: &K, at: At) -> bool {
        let is = pred(key);
        if !is {
            self.say(&CONTAINS, at, key, true);
        }
        is
    }

    /// Whether an element stays, recorded.
    pub(super) fn stays(&self, pred: &mut impl FnMut(&K) -> bool, key: &K, at: At) -> bool {
        let stays = pred(key);
        self.say(if stays { &CONTAINS } else { &REMOVE }, at, key, true);
        stays
    }

    /// As the original's.
    #[track_caller]
    pub fn retain_sync<F: FnMut(&K) -> bool>(&self, mut pred: F) {
        let at = Location::caller();
        if let Some(set) = self.explored(at) {
            return retain(set, |k, ()| pred(k));
        }
        self.inner.retain_sync(|k, ()| self.stays(&mut pred, k, at));
    }

    /// As the original's.
    #[track_caller]
    pub fn clear_sync(&self) {
        self.retain_sync(|_| false);
    }

    /// As the original's.
    #[track_caller]
    pub fn len(&self) -> usize {
        if let Some(set) = self.explored(Location::caller()) {
            return set.len();
        }
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
        if let Some(set) = self.explored(Location::caller()) {
            return set.is_empty();
        }
        let is_empty = self.inner.is_empty();
        if is_on() {
            let at = Location::caller();
            record(&self.seen.tag, &IS_EMPTY, at, &[], &[Raw::Opaque]);
        }
        is_empty
    }

    /// As the original's.
    pub fn reserve(&self, capacity: usize) -> Option<original::Reserve<'_, K, (), H>> {
        // It gives the map inside, which is empty in a test that is explored.
        unseen("what `reserve` of a set of `scc` gives");
        self.inner.reserve(capacity)
    }

    /// As the original's.
    pub fn capacity_range(&self) -> RangeInclusive<usize> {
        self.inner.capacity_range()
    }

    /// As the original's.
    pub fn bucket_index<Q>(&self, key: &Q) -> usize
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        unseen("the bucket of an element of a set of `scc`");
        self.inner.bucket_index(key)
    }

    /// As the original's.
    pub fn capacity(&self) -> usize {
        unseen("the capacity of a set of `scc`");
        self.inner.capacity()
    }
}
