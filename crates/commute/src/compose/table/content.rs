//! Maps and sets of std, which have to be locked.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use super::Show;

/// A table that has to be locked.
pub(crate) trait Content<K, V> {
    fn look(&self, key: &K) -> Option<&V>;
    fn put(&mut self, key: K, value: V) -> Option<V>;
    fn take(&mut self, key: &K) -> Option<V>;
    fn count(&self) -> usize;
    fn take_all(&mut self);
    /// Those that are there.
    #[cfg(commute)]
    fn keys(&self) -> Vec<&K>;

    fn put_if_absent(&mut self, key: K, value: V, show: Show<'_, V>) -> String {
        if let Some(known) = self.look(&key) {
            return show(known);
        }
        let shown = show(&value);
        self.put(key, value);
        shown
    }
}

macro_rules! content {
    (map $map:ty, [$($key:tt)*], [$($more:tt)*]) => {
        impl<K: $($key)*, V, $($more)*> Content<K, V> for $map {
            fn look(&self, key: &K) -> Option<&V> {
                self.get(key)
            }
            fn put(&mut self, key: K, value: V) -> Option<V> {
                self.insert(key, value)
            }
            fn take(&mut self, key: &K) -> Option<V> {
                self.remove(key)
            }
            fn count(&self) -> usize {
                self.len()
            }
            fn take_all(&mut self) {
                self.clear();
            }
            #[cfg(commute)]
            fn keys(&self) -> Vec<&K> {
                self.keys().collect()
            }
        }
    };
    (set $set:ty, [$($key:tt)*], [$($more:tt)*]) => {
        impl<K: $($key)*, $($more)*> Content<K, ()> for $set {
            fn look(&self, key: &K) -> Option<&()> {
                self.contains(key).then_some(&())
            }
            fn put(&mut self, key: K, (): ()) -> Option<()> {
                (!self.insert(key)).then_some(())
            }
            fn take(&mut self, key: &K) -> Option<()> {
                self.remove(key).then_some(())
            }
            fn count(&self) -> usize {
                self.len()
            }
            fn take_all(&mut self) {
                self.clear();
            }
            #[cfg(commute)]
            fn keys(&self) -> Vec<&K> {
                self.iter().collect()
            }
        }
    };
}

content!(map HashMap<K, V, S>, [Eq + Hash], [S: BuildHasher]);
content!(map BTreeMap<K, V>, [Ord], []);
content!(set HashSet<K, S>, [Eq + Hash], [S: BuildHasher]);
content!(set BTreeSet<K>, [Ord], []);

/// A lock around a content is a table: how it is locked to look, and how to change.
macro_rules! locked {
    ($lock:ident, |$reader:ident| $read:expr, |$writer:ident| $write:expr) => {
        impl<K, V, M: Content<K, V>> Table<K, V> for $lock<M> {
            fn look(&self, key: &K, show: Show<'_, V>) -> Option<String> {
                let $reader = self;
                let content = $read;
                content.look(key).map(show)
            }
            fn put(&self, key: K, value: V, show: Show<'_, V>) -> Option<String> {
                let $writer = self;
                let mut content = $write;
                content.put(key, value).as_ref().map(show)
            }
            fn put_if_absent(&self, key: K, value: V, show: Show<'_, V>) -> String {
                let $writer = self;
                let mut content = $write;
                content.put_if_absent(key, value, show)
            }
            fn take(&self, key: &K, show: Show<'_, V>) -> Option<String> {
                let $writer = self;
                let mut content = $write;
                content.take(key).as_ref().map(show)
            }
            fn count(&self) -> usize {
                let $reader = self;
                let content = $read;
                content.count()
            }
            fn take_all(&self) {
                let $writer = self;
                let mut content = $write;
                content.take_all();
            }
        }
    };
}

pub(super) use locked;
