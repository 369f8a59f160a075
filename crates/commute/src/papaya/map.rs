//! The map.

use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::panic::Location;

use ::papaya as original;
use commute_explore::runtime::remark;
use commute_record::{Kind, Method, Raw, value_of};
use original::{Equivalent, Guard, LocalGuard, OccupiedError, OwnedGuard};

use super::builder::HashMapBuilder;
use super::iter::{Iter, Keys, Values};
use super::pinned::HashMapRef;
use crate::compose::offered;
use crate::explored;
use crate::turns::{At, Turn, Turns};

static MAP: Kind = Kind::object("papaya_map", "map");

pub(super) static GET: Method = Method::new("get");
pub(super) static INSERT: Method = Method::new("insert");
pub(super) static REMOVE: Method = Method::new("remove");
pub(super) static TRY_INSERT: Method = Method::new("try_insert");
pub(super) static OR_INSERT: Method = Method::new("or_insert");
static CONTAINS_KEY: Method = Method::new("contains_key");
pub(super) static LEN: Method = Method::new("len");
pub(super) static IS_EMPTY: Method = Method::new("is_empty");

pub(super) const AT_ONCE: &str =
    "iterations of `papaya` are explored as if they looked at everything at once";

/// As [`papaya::HashMap`](original::HashMap).
pub struct HashMap<K, V, S = RandomState> {
    pub(super) inner: original::HashMap<K, V, S>,
    pub(crate) turns: Turns,
}

impl<K, V> HashMap<K, V> {
    /// As the original's.
    #[track_caller]
    pub fn new() -> HashMap<K, V> {
        Self::of(original::HashMap::new())
    }

    /// As the original's.
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> HashMap<K, V> {
        Self::of(original::HashMap::with_capacity(capacity))
    }

    /// As the original's.
    pub fn builder() -> HashMapBuilder<K, V> {
        let inner = original::HashMap::builder();
        HashMapBuilder { inner }
    }
}

impl<K, V, S> HashMap<K, V, S> {
    #[track_caller]
    pub(super) fn of(inner: original::HashMap<K, V, S>) -> Self {
        let turns = Turns::new(&MAP);
        HashMap { inner, turns }
    }

    /// As the original's.
    #[track_caller]
    pub fn with_hasher(hash_builder: S) -> HashMap<K, V, S> {
        Self::of(original::HashMap::with_hasher(hash_builder))
    }

    /// As the original's.
    #[track_caller]
    pub fn with_capacity_and_hasher(capacity: usize, hash_builder: S) -> HashMap<K, V, S> {
        Self::of(original::HashMap::with_capacity_and_hasher(
            capacity,
            hash_builder,
        ))
    }

    /// As the original's.
    pub fn pin(&self) -> HashMapRef<'_, K, V, S, LocalGuard<'_>> {
        HashMapRef::new(self, self.guard())
    }

    /// As the original's.
    pub fn pin_owned(&self) -> HashMapRef<'_, K, V, S, OwnedGuard<'_>> {
        HashMapRef::new(self, self.owned_guard())
    }

    /// As the original's.
    pub fn guard(&self) -> LocalGuard<'_> {
        self.inner.guard()
    }

    /// As the original's.
    pub fn owned_guard(&self) -> OwnedGuard<'_> {
        self.inner.owned_guard()
    }
}

/// The picture of something that may be there.
pub(super) fn picture<'a, V>(value: Option<&'a V>) -> Raw<'a> {
    value.map_or(Raw::Nil, value_of)
}

/// Records what is there.
pub(super) fn saw<Q: ?Sized, V>(turn: &Option<Turn<'_>>, at: At, key: &Q, value: Option<&V>) {
    if let Some(turn) = turn {
        turn.say(&GET, at, &[value_of(key)], &[picture(value)]);
    }
}

impl<K: Hash + Eq, V, S: BuildHasher> HashMap<K, V, S> {
    /// The turns, of which others may have some, too.
    pub(super) fn turns(&self) -> &Turns {
        if explored::is_on(&self.turns.tag) {
            offered::table::<Self, K, V>(self, &self.turns.tag, false);
            offered::lends::<(K, V)>();
        }
        &self.turns
    }

    /// As the original's.
    #[track_caller]
    pub fn len(&self) -> usize {
        if let Some(turn) = self.turns().turn() {
            turn.say(&LEN, Location::caller(), &[], &[Raw::Opaque]);
        }
        self.inner.len()
    }

    /// As the original's.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        if let Some(turn) = self.turns().turn() {
            turn.say(&IS_EMPTY, Location::caller(), &[], &[Raw::Opaque]);
        }
        self.inner.is_empty()
    }

    /// As the original's.
    #[track_caller]
    pub fn contains_key<Q>(&self, key: &Q, guard: &impl Guard) -> bool
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let turn = self.turns().turn_of::<K, Q>(key);
        let contains = self.inner.contains_key(key, guard);
        if let Some(turn) = turn {
            let results = [Raw::Bool(contains)];
            turn.say(
                &CONTAINS_KEY,
                Location::caller(),
                &[value_of(key)],
                &results,
            );
        }
        contains
    }

    /// As the original's.
    #[track_caller]
    pub fn get<'g, Q>(&self, key: &Q, guard: &'g impl Guard) -> Option<&'g V>
    where
        K: 'g,
        Q: Equivalent<K> + Hash + ?Sized,
    {
        self.get_key_value(key, guard).map(|(_, value)| value)
    }

    /// As the original's.
    #[track_caller]
    pub fn get_key_value<'g, Q>(&self, key: &Q, guard: &'g impl Guard) -> Option<(&'g K, &'g V)>
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let turn = self.turns().turn_of::<K, Q>(key);
        let found = self.inner.get_key_value(key, guard);
        let value = found.map(|(_, value)| value);
        saw(&turn, Location::caller(), key, value);
        found
    }

    /// As the original's.
    #[track_caller]
    pub fn insert<'g>(&self, key: K, value: V, guard: &'g impl Guard) -> Option<&'g V> {
        let Some(turn) = self.turns().turn_of::<K, K>(&key) else {
            return self.inner.insert(key, value, guard);
        };
        let pictures = [value_of(&key), value_of(&value)].map(|raw| raw.to_value());
        let args = pictures.each_ref().map(Raw::Value);
        let before = self.inner.insert(key, value, guard);
        turn.say(&INSERT, Location::caller(), &args, &[picture(before)]);
        before
    }

    /// As the original's.
    #[track_caller]
    pub fn try_insert<'g>(
        &self,
        key: K,
        value: V,
        guard: &'g impl Guard,
    ) -> Result<&'g V, OccupiedError<'g, V>> {
        let Some(turn) = self.turns().turn_of::<K, K>(&key) else {
            return self.inner.try_insert(key, value, guard);
        };
        let pictures = [value_of(&key), value_of(&value)].map(|raw| raw.to_value());
        let args = pictures.each_ref().map(Raw::Value);
        let inserted = self.inner.try_insert(key, value, guard);
        let results = [Raw::Bool(inserted.is_ok())];
        turn.say(&TRY_INSERT, Location::caller(), &args, &results);
        inserted
    }

    /// As the original's.
    #[track_caller]
    pub fn get_or_insert<'g>(&self, key: K, value: V, guard: &'g impl Guard) -> &'g V {
        let Some(turn) = self.turns().turn_of::<K, K>(&key) else {
            return self.inner.get_or_insert(key, value, guard);
        };
        let pictures = [value_of(&key), value_of(&value)].map(|raw| raw.to_value());
        let args = pictures.each_ref().map(Raw::Value);
        let (found, inserted) = match self.inner.try_insert(key, value, guard) {
            Ok(value) => (value, true),
            Err(occupied) => (occupied.current, false),
        };
        let results = [value_of(found), Raw::Bool(inserted)];
        turn.say(&OR_INSERT, Location::caller(), &args, &results);
        found
    }

    /// As the original's.
    #[track_caller]
    pub fn remove<'g, Q>(&self, key: &Q, guard: &'g impl Guard) -> Option<&'g V>
    where
        K: 'g,
        Q: Equivalent<K> + Hash + ?Sized,
    {
        self.remove_entry(key, guard).map(|(_, value)| value)
    }

    /// As the original's.
    #[track_caller]
    pub fn remove_entry<'g, Q>(&self, key: &Q, guard: &'g impl Guard) -> Option<(&'g K, &'g V)>
    where
        K: 'g,
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let turn = self.turns().turn_of::<K, Q>(key);
        let removed = self.inner.remove_entry(key, guard);
        if let Some(turn) = turn {
            let results = [picture(removed.map(|(_, value)| value))];
            turn.say(&REMOVE, Location::caller(), &[value_of(key)], &results);
        }
        removed
    }

    /// As the original's.
    pub fn reserve(&self, additional: usize, guard: &impl Guard) {
        self.inner.reserve(additional, guard);
    }

    /// As the original's.
    #[track_caller]
    pub fn iter<'g, G: Guard>(&self, guard: &'g G) -> Iter<'g, K, V, G> {
        if !self.turns.is_watched() {
            return Iter::of(self.inner.iter(guard));
        }
        let turn = self.turns().turn();
        let at = Location::caller();
        let entries: Vec<_> = self.inner.iter(guard).collect();
        { entries.iter() }.for_each(|(key, _)| self.turns.note::<K, K>(key));
        match turn {
            Some(turn) => {
                for (key, value) in &entries {
                    turn.say(&GET, at, &[value_of(*key)], &[value_of(*value)]);
                }
            }
            None => remark(AT_ONCE),
        }
        Iter::read(entries)
    }

    /// As the original's.
    #[track_caller]
    pub fn keys<'g, G: Guard>(&self, guard: &'g G) -> Keys<'g, K, V, G> {
        Keys(self.iter(guard))
    }

    /// As the original's.
    #[track_caller]
    pub fn values<'g, G: Guard>(&self, guard: &'g G) -> Values<'g, K, V, G> {
        Values(self.iter(guard))
    }
}

impl<K, V, S: Default> Default for HashMap<K, V, S> {
    #[track_caller]
    fn default() -> Self {
        Self::with_hasher(S::default())
    }
}

impl<K: Hash + Eq, V: PartialEq, S: BuildHasher> PartialEq for HashMap<K, V, S> {
    fn eq(&self, other: &Self) -> bool {
        self.turns().look();
        other.turns().look();
        self.inner == other.inner
    }
}

impl<K: Hash + Eq, V: Eq, S: BuildHasher> Eq for HashMap<K, V, S> {}

impl<K: Hash + Eq + fmt::Debug, V: fmt::Debug, S: BuildHasher> fmt::Debug for HashMap<K, V, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.turns().look();
        self.inner.fmt(f)
    }
}

impl<K: Clone + Hash + Eq, V: Clone, S: BuildHasher + Clone> Clone for HashMap<K, V, S> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.turns().look();
        let clone = Self::of(self.inner.clone());
        if let Some(turn) = clone.turns.turn() {
            let at = Location::caller();
            for (key, value) in clone.inner.pin().iter() {
                let args = [value_of(key), value_of(value)];
                turn.say(&INSERT, at, &args, &[Raw::Nil]);
            }
        }
        clone
    }
}
