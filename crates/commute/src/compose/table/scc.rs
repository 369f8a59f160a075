//! Maps and sets of `scc`.

use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use super::{Show, Table};
use crate::compose::collection::{Collection, Operation, collections, of_table};
use crate::compose::domain::Domain;
use crate::scc::{HashMap, HashSet};

impl<K: Eq + Hash, V, S: BuildHasher> Table<K, V> for HashMap<K, V, S> {
    fn look(&self, key: &K, show: Show<'_, V>) -> Option<String> {
        self.read_sync(key, |_, value| show(value))
    }
    fn put(&self, key: K, value: V, show: Show<'_, V>) -> Option<String> {
        self.upsert_sync(key, value).as_ref().map(show)
    }
    fn put_if_absent(&self, key: K, value: V, show: Show<'_, V>) -> String {
        show(self.entry_sync(key).or_insert(value).get())
    }
    fn take(&self, key: &K, show: Show<'_, V>) -> Option<String> {
        self.remove_sync(key).map(|(_, value)| show(&value))
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn take_all(&self) {
        self.clear_sync();
    }
}

impl<K: Eq + Hash, S: BuildHasher> Table<K, ()> for HashSet<K, S> {
    fn look(&self, key: &K, show: Show<'_, ()>) -> Option<String> {
        self.contains_sync(key).then(|| show(&()))
    }
    fn put(&self, key: K, (): (), show: Show<'_, ()>) -> Option<String> {
        self.insert_sync(key).is_err().then(|| show(&()))
    }
    fn put_if_absent(&self, key: K, (): (), show: Show<'_, ()>) -> String {
        self.put(key, (), show);
        show(&())
    }
    fn take(&self, key: &K, show: Show<'_, ()>) -> Option<String> {
        self.remove_sync(key).map(|_| show(&()))
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn take_all(&self) {
        self.clear_sync();
    }
}

collections! {
    false [K: Eq + Hash] [V] [S: BuildHasher + 'static] HashMap<K, V, S>;
    true [K: Eq + Hash] [] [S: BuildHasher + 'static] HashSet<K, S>;
}
