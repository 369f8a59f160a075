//! The set.

use std::hash::{BuildHasher, Hash, RandomState};
use std::panic::Location;
use std::vec;

use ::papaya as original;
use commute_explore::runtime::remark;
use commute_record::{Kind, Method, Raw, value_of};
use original::{Equivalent, Guard, LocalGuard, OwnedGuard};

use super::builder::HashSetBuilder;
use super::map::{AT_ONCE, INSERT, IS_EMPTY, LEN, REMOVE};
use crate::compose::offered;
use crate::explored;
use crate::turns::{At, Turn, Turns};

static SET: Kind = Kind::object("papaya_set", "hashset");
static CONTAINS: Method = Method::new("contains");

/// As [`papaya::HashSet`](original::HashSet).
pub struct HashSet<K, S = RandomState> {
    pub(super) inner: original::HashSet<K, S>,
    pub(crate) turns: Turns,
}

/// As [`papaya::HashSetRef`](original::HashSetRef).
pub struct HashSetRef<'set, K, S, G> {
    guard: G,
    set: &'set HashSet<K, S>,
}

impl<K> HashSet<K> {
    /// As the original's.
    #[track_caller]
    pub fn new() -> HashSet<K> {
        Self::of(original::HashSet::new())
    }

    /// As the original's.
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> HashSet<K> {
        Self::of(original::HashSet::with_capacity(capacity))
    }

    /// As the original's.
    pub fn builder() -> HashSetBuilder<K> {
        let inner = original::HashSet::builder();
        HashSetBuilder { inner }
    }
}

impl<K, S> HashSet<K, S> {
    #[track_caller]
    pub(super) fn of(inner: original::HashSet<K, S>) -> Self {
        let turns = Turns::new(&SET);
        HashSet { inner, turns }
    }

    /// As the original's.
    #[track_caller]
    pub fn with_hasher(hash_builder: S) -> HashSet<K, S> {
        Self::of(original::HashSet::with_hasher(hash_builder))
    }

    /// As the original's.
    #[track_caller]
    pub fn with_capacity_and_hasher(capacity: usize, hash_builder: S) -> HashSet<K, S> {
        Self::of(original::HashSet::with_capacity_and_hasher(
            capacity,
            hash_builder,
        ))
    }

    /// As the original's.
    pub fn pin(&self) -> HashSetRef<'_, K, S, LocalGuard<'_>> {
        let guard = self.guard();
        HashSetRef { guard, set: self }
    }

    /// As the original's.
    pub fn pin_owned(&self) -> HashSetRef<'_, K, S, OwnedGuard<'_>> {
        let guard = self.owned_guard();
        HashSetRef { guard, set: self }
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

pub(super) fn say<Q: ?Sized>(
    turn: &Option<Turn<'_>>,
    method: &Method,
    at: At,
    key: &Q,
    result: bool,
) {
    if let Some(turn) = turn {
        turn.say(method, at, &[value_of(key)], &[Raw::Bool(result)]);
    }
}

impl<K: Hash + Eq, S: BuildHasher> HashSet<K, S> {
    /// The turns, of which others may have some, too.
    pub(super) fn turns(&self) -> &Turns {
        if explored::is_on(&self.turns.tag) {
            offered::table::<Self, K, ()>(self, &self.turns.tag, true);
            offered::lends::<K>();
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
    pub fn contains<Q>(&self, key: &Q, guard: &impl Guard) -> bool
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        self.get(key, guard).is_some()
    }

    /// As the original's.
    #[track_caller]
    pub fn get<'g, Q>(&self, key: &Q, guard: &'g impl Guard) -> Option<&'g K>
    where
        K: 'g,
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let turn = self.turns().turn_of::<K, Q>(key);
        let found = self.inner.get(key, guard);
        say(&turn, &CONTAINS, Location::caller(), key, found.is_some());
        found
    }

    /// As the original's.
    #[track_caller]
    pub fn insert(&self, key: K, guard: &impl Guard) -> bool {
        let turn = self.turns().turn_of::<K, K>(&key);
        if turn.is_some() {
            // Nobody is faster.
            let is_new = !self.inner.contains(&key, guard);
            say(&turn, &INSERT, Location::caller(), &key, is_new);
        }
        self.inner.insert(key, guard)
    }

    /// As the original's.
    #[track_caller]
    pub fn remove<Q>(&self, key: &Q, guard: &impl Guard) -> bool
    where
        Q: Equivalent<K> + Hash + ?Sized,
    {
        let turn = self.turns().turn_of::<K, Q>(key);
        let removed = self.inner.remove(key, guard);
        say(&turn, &REMOVE, Location::caller(), key, removed);
        removed
    }

    /// As the original's.
    pub fn reserve(&self, additional: usize, guard: &impl Guard) {
        self.inner.reserve(additional, guard);
    }

    /// As the original's.
    #[track_caller]
    pub fn clear(&self, guard: &impl Guard) {
        match self.turns.is_watched() {
            true => self.retain(|_| false, guard),
            false => self.inner.clear(guard),
        }
    }

    /// As the original's.
    #[track_caller]
    pub fn retain<F>(&self, mut f: F, guard: &impl Guard)
    where
        F: FnMut(&K) -> bool,
    {
        if !self.turns.is_watched() {
            return self.inner.retain(f, guard);
        }
        let at = Location::caller();
        let keys: Vec<&K> = {
            let _turn = self.turns().turn();
            self.inner.iter(guard).collect()
        };
        for key in keys {
            // Between turns, because it may wait for others who use the set.
            let stays = f(key);
            let turn = self.turns().turn_of::<K, K>(key);
            match stays {
                true => say(&turn, &CONTAINS, at, key, self.inner.contains(key, guard)),
                false => say(&turn, &REMOVE, at, key, self.inner.remove(key, guard)),
            }
        }
    }

    /// As the original's, but that what is recorded is read at once.
    #[track_caller]
    pub fn iter<'g, G: Guard>(&self, guard: &'g G) -> vec::IntoIter<&'g K> {
        let turn = self.turns().turn();
        let at = Location::caller();
        let keys: Vec<&'g K> = self.inner.iter(guard).collect();
        for key in &keys {
            self.turns.note::<K, K>(key);
            say(&turn, &CONTAINS, at, *key, true);
        }
        if turn.is_none() {
            remark(AT_ONCE);
        }
        keys.into_iter()
    }
}

/// Methods of the set, with the guard.
macro_rules! pinned {
    ($(fn $method:ident $([$($generic:tt)*])? ($($arg:ident: $Arg:ty),*) $(-> $Result:ty)?;)*) => {
        $(/// As the original's.
        #[track_caller]
        #[inline]
        pub fn $method $(<$($generic)*>)? (&self $(, $arg: $Arg)*) $(-> $Result)? {
            self.set.$method($($arg,)* &self.guard)
        })*
    };
}

impl<'set, K: Hash + Eq, S: BuildHasher, G: Guard> HashSetRef<'set, K, S, G> {
    /// As the original's.
    pub fn set(&self) -> &'set HashSet<K, S> {
        self.set
    }

    /// As the original's.
    #[track_caller]
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// As the original's.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    pinned! {
        fn contains[Q: Equivalent<K> + Hash + ?Sized](key: &Q) -> bool;
        fn get[Q: Equivalent<K> + Hash + ?Sized](key: &Q) -> Option<&K>;
        fn insert(key: K) -> bool;
        fn remove[Q: Equivalent<K> + Hash + ?Sized](key: &Q) -> bool;
        fn clear();
        fn retain[F: FnMut(&K) -> bool](f: F);
        fn reserve(additional: usize);
        fn iter() -> vec::IntoIter<&K>;
    }
}

impl<'a, K: Hash + Eq, S: BuildHasher, G: Guard> IntoIterator for &'a HashSetRef<'_, K, S, G> {
    type Item = &'a K;
    type IntoIter = vec::IntoIter<&'a K>;

    #[track_caller]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
