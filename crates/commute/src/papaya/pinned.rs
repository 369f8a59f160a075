//! A map with a guard, and the other ways to make a map.

use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};

use ::papaya::{Compute, Equivalent, Guard, OccupiedError, Operation};

use super::HashMap;
use super::iter::{Iter, Keys, Values};

/// As [`papaya::HashMapRef`](::papaya::HashMapRef).
pub struct HashMapRef<'map, K, V, S, G> {
    guard: G,
    map: &'map HashMap<K, V, S>,
}

impl<'map, K, V, S, G> HashMapRef<'map, K, V, S, G> {
    pub(super) fn new(map: &'map HashMap<K, V, S>, guard: G) -> Self {
        HashMapRef { guard, map }
    }
}

/// Methods of the map, with the guard.
macro_rules! pinned {
    ($(fn $method:ident $([$($generic:tt)*])? ($($arg:ident: $Arg:ty),*) $(-> $Result:ty)?;)*) => {
        $(/// As the original's.
        #[track_caller]
        #[inline]
        pub fn $method $(<$($generic)*>)? (&self $(, $arg: $Arg)*) $(-> $Result)? {
            self.map.$method($($arg,)* &self.guard)
        })*
    };
}

impl<'map, K: Hash + Eq, V, S: BuildHasher, G: Guard> HashMapRef<'map, K, V, S, G> {
    /// As the original's.
    pub fn map(&self) -> &'map HashMap<K, V, S> {
        self.map
    }

    /// As the original's.
    #[track_caller]
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// As the original's.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    pinned! {
        fn contains_key[Q: Equivalent<K> + Hash + ?Sized](key: &Q) -> bool;
        fn get[Q: Equivalent<K> + Hash + ?Sized](key: &Q) -> Option<&V>;
        fn get_key_value[Q: Equivalent<K> + Hash + ?Sized](key: &Q) -> Option<(&K, &V)>;
        fn insert(key: K, value: V) -> Option<&V>;
        fn try_insert(key: K, value: V) -> Result<&V, OccupiedError<'_, V>>;
        fn try_insert_with[F: FnOnce() -> V](key: K, f: F) -> Result<&V, &V>;
        fn get_or_insert(key: K, value: V) -> &V;
        fn get_or_insert_with[F: FnOnce() -> V](key: K, f: F) -> &V;
        fn update[F: Fn(&V) -> V](key: K, update: F) -> Option<&V>;
        fn update_or_insert[F: Fn(&V) -> V](key: K, update: F, value: V) -> &V;
        fn update_or_insert_with[U: Fn(&V) -> V, F: FnOnce() -> V](key: K, update: U, f: F) -> &V;
        fn remove[Q: Equivalent<K> + Hash + ?Sized](key: &Q) -> Option<&V>;
        fn remove_entry[Q: Equivalent<K> + Hash + ?Sized](key: &Q) -> Option<(&K, &V)>;
        fn remove_if[Q: Equivalent<K> + Hash + ?Sized, F: FnMut(&K, &V) -> bool](key: &Q, should_remove: F) -> Result<Option<(&K, &V)>, (&K, &V)>;
        fn clear();
        fn retain[F: FnMut(&K, &V) -> bool](f: F);
        fn reserve(additional: usize);
        fn iter() -> Iter<'_, K, V, G>;
        fn keys() -> Keys<'_, K, V, G>;
        fn values() -> Values<'_, K, V, G>;
    }

    /// As the original's.
    #[track_caller]
    pub fn compute<'g, F, T>(&'g self, key: K, compute: F) -> Compute<'g, K, V, T>
    where
        F: FnMut(Option<(&'g K, &'g V)>) -> Operation<V, T>,
    {
        self.map.compute(key, compute, &self.guard)
    }
}

impl<K, V, S, G> fmt::Debug for HashMapRef<'_, K, V, S, G>
where
    K: Hash + Eq + fmt::Debug,
    V: fmt::Debug,
    S: BuildHasher,
    G: Guard,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.map.fmt(f)
    }
}

impl<'a, K: Hash + Eq, V, S: BuildHasher, G: Guard> IntoIterator
    for &'a HashMapRef<'_, K, V, S, G>
{
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V, G>;

    #[track_caller]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Hash + Eq, V, S: BuildHasher> Extend<(K, V)> for &HashMap<K, V, S> {
    #[track_caller]
    fn extend<T: IntoIterator<Item = (K, V)>>(&mut self, iter: T) {
        let guard = self.guard();
        for (key, value) in iter {
            self.insert(key, value, &guard);
        }
    }
}

impl<'a, K, V, S> Extend<(&'a K, &'a V)> for &HashMap<K, V, S>
where
    K: Copy + Hash + Eq + 'a,
    V: Copy + 'a,
    S: BuildHasher,
{
    #[track_caller]
    fn extend<T: IntoIterator<Item = (&'a K, &'a V)>>(&mut self, iter: T) {
        self.extend(iter.into_iter().map(|(key, value)| (*key, *value)));
    }
}

impl<K: Hash + Eq, V, const N: usize> From<[(K, V); N]> for HashMap<K, V, RandomState> {
    #[track_caller]
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: Hash + Eq, V, S: BuildHasher + Default> FromIterator<(K, V)> for HashMap<K, V, S> {
    #[track_caller]
    fn from_iter<T: IntoIterator<Item = (K, V)>>(iter: T) -> Self {
        let map = HashMap::default();
        (&map).extend(iter);
        map
    }
}
