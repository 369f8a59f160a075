//! What maps and sets have in common, whatever is around them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use crate::sync::{Mutex, PoisonError, RwLock};

/// A map that is shared; a set is a map to nothing.
pub(crate) trait Table<K, V> {
    /// What a key has, as it is shown.
    fn look(&self, key: &K, show: Show<'_, V>) -> Option<String>;
    /// Gives a key something else.
    fn put(&self, key: K, value: V) -> Option<V>;
    /// Gives it something unless it has it; what it has then.
    fn put_if_absent(&self, key: K, value: V, show: Show<'_, V>) -> String;
    fn take(&self, key: &K) -> Option<V>;
    fn count(&self) -> usize;
    fn take_all(&self);
}

pub(crate) type Show<'a, V> = &'a dyn Fn(&V) -> String;

/// Something that is done to a table.
#[derive(Clone, Debug)]
pub(crate) enum Deed<K, V> {
    Look(K),
    Put(K, V),
    PutIfAbsent(K, V),
    Take(K),
    Count,
    TakeAll,
}

impl<K, V> Deed<K, V> {
    /// Whether it changes nothing.
    pub(crate) fn looks(&self) -> bool {
        matches!(self, Deed::Look(_) | Deed::Count)
    }

    /// What takes something away is called `remove`, what may replace something `insert`,
    /// and what does not, `or_insert`.
    pub(crate) fn name(&self, is_set: bool) -> &'static str {
        match self {
            Deed::Look(_) if is_set => "contains",
            Deed::Look(_) => "get",
            Deed::Put(..) => "insert",
            Deed::PutIfAbsent(..) => "or_insert",
            Deed::Take(_) | Deed::TakeAll => "remove",
            Deed::Count => "len",
        }
    }

    /// With its arguments.
    pub(crate) fn shown(
        &self,
        is_set: bool,
        key: impl Fn(&K) -> String,
        value: impl Fn(&V) -> String,
    ) -> String {
        let name = self.name(is_set);
        match self {
            Deed::PutIfAbsent(k, _) if is_set => format!("insert({})", key(k)),
            Deed::Look(k) | Deed::Take(k) => format!("{name}({})", key(k)),
            Deed::Put(k, v) | Deed::PutIfAbsent(k, v) => {
                format!("{name}({}, {})", key(k), value(v))
            }
            Deed::Count => "len()".to_owned(),
            Deed::TakeAll => "clear()".to_owned(),
        }
    }

    /// The same with other keys and values; nothing if these cannot be made.
    #[cfg(commute)]
    pub(crate) fn map<L, W>(
        &self,
        key: impl Fn(&K) -> Option<L>,
        value: impl Fn(&V) -> Option<W>,
    ) -> Option<Deed<L, W>> {
        Some(match self {
            Deed::Look(k) => Deed::Look(key(k)?),
            Deed::Put(k, v) => Deed::Put(key(k)?, value(v)?),
            Deed::PutIfAbsent(k, v) => Deed::PutIfAbsent(key(k)?, value(v)?),
            Deed::Take(k) => Deed::Take(key(k)?),
            Deed::Count => Deed::Count,
            Deed::TakeAll => Deed::TakeAll,
        })
    }

    /// Does it; what came of it.
    pub(crate) fn act<C: Table<K, V> + ?Sized>(
        self,
        table: &C,
        is_set: bool,
        show: Show<'_, V>,
    ) -> String {
        let found = |found: Option<String>| match (is_set, found) {
            (true, found) => found.is_some().to_string(),
            (false, Some(value)) => format!("Some({value})"),
            (false, None) => "None".to_owned(),
        };
        match self {
            Deed::Look(key) => found(table.look(&key, show)),
            Deed::Put(key, value) => found(table.put(key, value).as_ref().map(show)),
            Deed::PutIfAbsent(key, value) if is_set => table.put(key, value).is_none().to_string(),
            Deed::PutIfAbsent(key, value) => table.put_if_absent(key, value, show),
            Deed::Take(key) => found(table.take(&key).as_ref().map(show)),
            Deed::Count => table.count().to_string(),
            Deed::TakeAll => {
                table.take_all();
                "()".to_owned()
            }
        }
    }
}

/// Everything that can be done with these keys and values.
pub(crate) fn deeds<K: Clone, V: Clone>(keys: &[K], values: &[V], is_set: bool) -> Vec<Deed<K, V>> {
    let mut deeds = Vec::new();
    for key in keys {
        deeds.push(Deed::Look(key.clone()));
        deeds.push(Deed::Take(key.clone()));
        for value in values {
            if !is_set {
                deeds.push(Deed::Put(key.clone(), value.clone()));
            }
            deeds.push(Deed::PutIfAbsent(key.clone(), value.clone()));
        }
    }
    deeds.extend([Deed::Count, Deed::TakeAll]);
    deeds
}

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

macro_rules! locked {
    ($lock:ident, $read:ident, $write:ident) => {
        impl<K, V, M: Content<K, V>> Table<K, V> for $lock<M> {
            fn look(&self, key: &K, show: Show<'_, V>) -> Option<String> {
                let content = self.$read().unwrap_or_else(PoisonError::into_inner);
                content.look(key).map(show)
            }
            fn put(&self, key: K, value: V) -> Option<V> {
                let mut content = self.$write().unwrap_or_else(PoisonError::into_inner);
                content.put(key, value)
            }
            fn put_if_absent(&self, key: K, value: V, show: Show<'_, V>) -> String {
                let mut content = self.$write().unwrap_or_else(PoisonError::into_inner);
                content.put_if_absent(key, value, show)
            }
            fn take(&self, key: &K) -> Option<V> {
                let mut content = self.$write().unwrap_or_else(PoisonError::into_inner);
                content.take(key)
            }
            fn count(&self) -> usize {
                self.$read().unwrap_or_else(PoisonError::into_inner).count()
            }
            fn take_all(&self) {
                self.$write()
                    .unwrap_or_else(PoisonError::into_inner)
                    .take_all();
            }
        }
    };
}

locked!(RwLock, read, write);
locked!(Mutex, lock, lock);

#[cfg(feature = "dashmap")]
mod dashmap {
    use super::{BuildHasher, Hash, Show, Table};
    use crate::dashmap::{DashMap, DashSet};

    impl<K: Eq + Hash, V, S: BuildHasher + Clone> Table<K, V> for DashMap<K, V, S> {
        fn look(&self, key: &K, show: Show<'_, V>) -> Option<String> {
            self.get(key).map(|value| show(&value))
        }
        fn put(&self, key: K, value: V) -> Option<V> {
            self.insert(key, value)
        }
        fn put_if_absent(&self, key: K, value: V, show: Show<'_, V>) -> String {
            show(&self.entry(key).or_insert(value))
        }
        fn take(&self, key: &K) -> Option<V> {
            self.remove(key).map(|(_, value)| value)
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
        fn put(&self, key: K, (): ()) -> Option<()> {
            (!self.insert(key)).then_some(())
        }
        fn put_if_absent(&self, key: K, (): (), show: Show<'_, ()>) -> String {
            self.put(key, ());
            show(&())
        }
        fn take(&self, key: &K) -> Option<()> {
            self.remove(key).map(|_| ())
        }
        fn count(&self) -> usize {
            self.len()
        }
        fn take_all(&self) {
            self.clear();
        }
    }
}
