//! Maps and sets of `crossbeam-skiplist`.
//!
//! An insertion does not say what was there. Others look before it: what they do is done
//! as a whole, so nobody comes in between.

use std::fmt::Debug;

use super::{Show, Table};
use crate::compose::collection::{Collection, Operation, collections, of_table};
use crate::compose::domain::Domain;
use crate::crossbeam::skiplist::{SkipMap, SkipSet};

impl<K: Ord + Send + 'static, V: Send + 'static> Table<K, V> for SkipMap<K, V> {
    fn look(&self, key: &K, show: Show<'_, V>) -> Option<String> {
        self.get(key).map(|entry| show(entry.value()))
    }
    fn put(&self, key: K, value: V, show: Show<'_, V>) -> Option<String> {
        let before = self.look(&key, show);
        self.insert(key, value);
        before
    }
    fn put_if_absent(&self, key: K, value: V, show: Show<'_, V>) -> String {
        show(self.get_or_insert(key, value).value())
    }
    fn take(&self, key: &K, show: Show<'_, V>) -> Option<String> {
        self.remove(key).map(|entry| show(entry.value()))
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn take_all(&self) {
        self.clear();
    }
}

impl<K: Ord + Send + 'static> Table<K, ()> for SkipSet<K> {
    fn look(&self, key: &K, show: Show<'_, ()>) -> Option<String> {
        self.contains(key).then(|| show(&()))
    }
    fn put(&self, key: K, (): (), show: Show<'_, ()>) -> Option<String> {
        let before = self.look(&key, show);
        self.get_or_insert(key);
        before
    }
    fn put_if_absent(&self, key: K, (): (), show: Show<'_, ()>) -> String {
        self.get_or_insert(key);
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
    false [K: Ord + Send] [V: Send] [] SkipMap<K, V>;
    true [K: Ord + Send] [] [] SkipSet<K>;
}
