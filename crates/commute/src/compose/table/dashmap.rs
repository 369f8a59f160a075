//! Maps and sets of `dashmap`.

use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use super::{Show, Table};
use crate::compose::collection::{Collection, Operation, collections, of_table};
use crate::compose::domain::Domain;
use crate::dashmap::{DashMap, DashSet};

impl<K: Eq + Hash, V, S: BuildHasher + Clone> Table<K, V> for DashMap<K, V, S> {
    fn look(&self, key: &K, show: Show<'_, V>) -> Option<String> {
        self.get(key).map(|value| show(&value))
    }
    fn put(&self, key: K, value: V, show: Show<'_, V>) -> Option<String> {
        self.insert(key, value).as_ref().map(show)
    }
    fn put_if_absent(&self, key: K, value: V, show: Show<'_, V>) -> String {
        show(&self.entry(key).or_insert(value))
    }
    fn take(&self, key: &K, show: Show<'_, V>) -> Option<String> {
        self.remove(key).map(|(_, value)| show(&value))
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn take_all(&self) {
        self.clear();
    }
}

impl<K: Eq + Hash, S: BuildHasher + Clone> Table<K, ()> for DashSet<K, S> {
    fn look(&self, key: &K, show: Show<'_, ()>) -> Option<String> {
        self.contains(key).then(|| show(&()))
    }
    fn put(&self, key: K, (): (), show: Show<'_, ()>) -> Option<String> {
        (!self.insert(key)).then(|| show(&()))
    }
    fn put_if_absent(&self, key: K, (): (), show: Show<'_, ()>) -> String {
        self.insert(key);
        show(&())
    }
    fn take(&self, key: &K, show: Show<'_, ()>) -> Option<String> {
        self.remove(key).map(|_| show(&()))
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn take_all(&self) {
        self.clear();
    }
}

collections! {
    false [K: Eq + Hash] [V] [S: BuildHasher + Clone + 'static] DashMap<K, V, S>;
    true [K: Eq + Hash] [] [S: BuildHasher + Clone + 'static] DashSet<K, S>;
}
