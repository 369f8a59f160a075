//! Maps and sets of `papaya`.

use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use super::{Show, Table};
use crate::compose::collection::{Collection, Operation, collections, of_table};
use crate::compose::domain::Domain;
use crate::papaya::{HashMap, HashSet};

impl<K: Eq + Hash, V, S: BuildHasher> Table<K, V> for HashMap<K, V, S> {
    fn look(&self, key: &K, show: Show<'_, V>) -> Option<String> {
        self.pin().get(key).map(show)
    }
    fn put(&self, key: K, value: V, show: Show<'_, V>) -> Option<String> {
        self.pin().insert(key, value).map(show)
    }
    fn put_if_absent(&self, key: K, value: V, show: Show<'_, V>) -> String {
        show(self.pin().get_or_insert(key, value))
    }
    fn take(&self, key: &K, show: Show<'_, V>) -> Option<String> {
        self.pin().remove(key).map(show)
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn take_all(&self) {
        self.pin().clear();
    }
}

impl<K: Eq + Hash, S: BuildHasher> Table<K, ()> for HashSet<K, S> {
    fn look(&self, key: &K, show: Show<'_, ()>) -> Option<String> {
        self.pin().contains(key).then(|| show(&()))
    }
    fn put(&self, key: K, (): (), show: Show<'_, ()>) -> Option<String> {
        (!self.pin().insert(key)).then(|| show(&()))
    }
    fn put_if_absent(&self, key: K, (): (), show: Show<'_, ()>) -> String {
        self.put(key, (), show);
        show(&())
    }
    fn take(&self, key: &K, show: Show<'_, ()>) -> Option<String> {
        self.pin().remove(key).then(|| show(&()))
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn take_all(&self) {
        self.pin().clear();
    }
}

collections! {
    false [K: Eq + Hash] [V] [S: BuildHasher + 'static] HashMap<K, V, S>;
    true [K: Eq + Hash] [] [S: BuildHasher + 'static] HashSet<K, S>;
}
