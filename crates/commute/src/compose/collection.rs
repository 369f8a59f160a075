//! What can be done to a collection: what an open environment does.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};
use std::rc::Rc;

use super::domain::Domain;
use crate::sync::{Mutex, PoisonError, RwLock};

/// An operation of a collection, with its arguments.
pub struct Operation<C: ?Sized> {
    /// What it is called. What takes something away is called `remove`, what may replace
    /// something `insert`, and what does not, `or_insert`.
    pub name: &'static str,
    /// With its arguments.
    pub shown: String,
    /// Does it; what came of it.
    pub run: Rc<dyn Fn(&C) -> String>,
    /// Whether it is for looking only. Then it is also done when all is over.
    pub looks: bool,
}

impl<C: ?Sized> Debug for Operation<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown)
    }
}

/// A collection whose operations are known, with arguments from their domains.
pub trait Collection: 'static {
    /// All of them.
    fn operations() -> Vec<Operation<Self>>;
}

/// What is common to maps, and what a set is with values that are nothing.
trait Table<K, V>: 'static {
    fn look(&self, key: &K) -> Option<V>;
    fn put(&self, key: K, value: V) -> Option<V>;
    fn put_if_absent(&self, key: K, value: V) -> V;
    fn take(&self, key: &K) -> Option<V>;
    fn count(&self) -> usize;
    fn take_all(&self);
}

/// Names of what a table does.
struct Words {
    look: &'static str,
    is_set: bool,
}

fn of_table<C, K, V>(words: &Words) -> Vec<Operation<C>>
where
    C: Table<K, V>,
    K: Domain + Debug,
    V: Domain + Debug,
{
    let mut all = Vec::new();
    let mut add = |name, shown: String, looks, run: Rc<dyn Fn(&C) -> String>| {
        all.push(Operation {
            name,
            shown,
            run,
            looks,
        });
    };
    for key in K::values() {
        let k = key.clone();
        let (look, is_set) = (words.look, words.is_set);
        add(
            look,
            format!("{look}({key:?})"),
            true,
            Rc::new(move |c| match is_set {
                true => format!("{}", c.look(&k).is_some()),
                false => format!("{:?}", c.look(&k)),
            }),
        );
        let k = key.clone();
        add(
            "remove",
            format!("remove({key:?})"),
            false,
            Rc::new(move |c| match is_set {
                true => format!("{}", c.take(&k).is_some()),
                false => format!("{:?}", c.take(&k)),
            }),
        );
        for value in V::values() {
            if words.is_set {
                let (k, v) = (key.clone(), value.clone());
                let run = move |c: &C| format!("{}", c.put(k.clone(), v.clone()).is_none());
                add("or_insert", format!("insert({key:?})"), false, Rc::new(run));
                continue;
            }
            let (k, v) = (key.clone(), value.clone());
            add(
                "insert",
                format!("insert({key:?}, {value:?})"),
                false,
                Rc::new(move |c| format!("{:?}", c.put(k.clone(), v.clone()))),
            );
            let (k, v) = (key.clone(), value.clone());
            add(
                "or_insert",
                format!("or_insert({key:?}, {value:?})"),
                false,
                Rc::new(move |c| format!("{:?}", c.put_if_absent(k.clone(), v.clone()))),
            );
        }
    }
    let count = |c: &C| format!("{}", c.count());
    add("len", "len()".to_owned(), true, Rc::new(count));
    let clear = |c: &C| {
        c.take_all();
        "()".to_owned()
    };
    add("remove", "clear()".to_owned(), false, Rc::new(clear));
    all
}

const MAP: Words = Words {
    look: "get",
    is_set: false,
};

const SET: Words = Words {
    look: "contains",
    is_set: true,
};

macro_rules! locked {
    ($lock:ident, $read:ident, $write:ident) => {
        locked!(map $lock, $read, $write, HashMap<K, V, S>, [Eq + Hash], [S: BuildHasher + 'static]);
        locked!(map $lock, $read, $write, BTreeMap<K, V>, [Ord], []);
        locked!(set $lock, $read, $write, HashSet<K, S>, [Eq + Hash], [S: BuildHasher + 'static]);
        locked!(set $lock, $read, $write, BTreeSet<K>, [Ord], []);
    };
    (map $lock:ident, $read:ident, $write:ident, $map:ty, [$($key:tt)*], [$($more:tt)*]) => {
        impl<K: Domain + Debug + $($key)*, V: Domain + Debug, $($more)*> Table<K, V> for $lock<$map> {
            fn look(&self, key: &K) -> Option<V> {
                self.$read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
            }
            fn put(&self, key: K, value: V) -> Option<V> {
                self.$write().unwrap_or_else(PoisonError::into_inner).insert(key, value)
            }
            fn put_if_absent(&self, key: K, value: V) -> V {
                let mut map = self.$write().unwrap_or_else(PoisonError::into_inner);
                map.entry(key).or_insert(value).clone()
            }
            fn take(&self, key: &K) -> Option<V> {
                self.$write().unwrap_or_else(PoisonError::into_inner).remove(key)
            }
            fn count(&self) -> usize {
                self.$read().unwrap_or_else(PoisonError::into_inner).len()
            }
            fn take_all(&self) {
                self.$write().unwrap_or_else(PoisonError::into_inner).clear();
            }
        }

        impl<K: Domain + Debug + $($key)*, V: Domain + Debug, $($more)*> Collection for $lock<$map> {
            fn operations() -> Vec<Operation<Self>> {
                of_table::<Self, K, V>(&MAP)
            }
        }
    };
    (set $lock:ident, $read:ident, $write:ident, $set:ty, [$($key:tt)*], [$($more:tt)*]) => {
        impl<K: Domain + Debug + $($key)*, $($more)*> Table<K, ()> for $lock<$set> {
            fn look(&self, key: &K) -> Option<()> {
                let set = self.$read().unwrap_or_else(PoisonError::into_inner);
                set.contains(key).then_some(())
            }
            fn put(&self, key: K, (): ()) -> Option<()> {
                let mut set = self.$write().unwrap_or_else(PoisonError::into_inner);
                (!set.insert(key)).then_some(())
            }
            fn put_if_absent(&self, key: K, (): ()) {
                self.put(key, ());
            }
            fn take(&self, key: &K) -> Option<()> {
                let mut set = self.$write().unwrap_or_else(PoisonError::into_inner);
                set.remove(key).then_some(())
            }
            fn count(&self) -> usize {
                self.$read().unwrap_or_else(PoisonError::into_inner).len()
            }
            fn take_all(&self) {
                self.$write().unwrap_or_else(PoisonError::into_inner).clear();
            }
        }

        impl<K: Domain + Debug + $($key)*, $($more)*> Collection for $lock<$set> {
            fn operations() -> Vec<Operation<Self>> {
                of_table::<Self, K, ()>(&SET)
            }
        }
    };
}

locked!(RwLock, read, write);
locked!(Mutex, lock, lock);

#[cfg(feature = "dashmap")]
mod dashmap {
    use super::{
        BuildHasher, Collection, Debug, Domain, Hash, MAP, Operation, SET, Table, of_table,
    };
    use crate::dashmap::{DashMap, DashSet};

    impl<K, V, S> Table<K, V> for DashMap<K, V, S>
    where
        K: Domain + Debug + Eq + Hash,
        V: Domain + Debug,
        S: BuildHasher + Clone + 'static,
    {
        fn look(&self, key: &K) -> Option<V> {
            self.get(key).map(|value| value.clone())
        }
        fn put(&self, key: K, value: V) -> Option<V> {
            self.insert(key, value)
        }
        fn put_if_absent(&self, key: K, value: V) -> V {
            self.entry(key).or_insert(value).clone()
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

    impl<K, V, S> Collection for DashMap<K, V, S>
    where
        K: Domain + Debug + Eq + Hash,
        V: Domain + Debug,
        S: BuildHasher + Clone + 'static,
    {
        fn operations() -> Vec<Operation<Self>> {
            of_table::<Self, K, V>(&MAP)
        }
    }

    impl<K, S> Table<K, ()> for DashSet<K, S>
    where
        K: Domain + Debug + Eq + Hash,
        S: BuildHasher + Clone + 'static,
    {
        fn look(&self, key: &K) -> Option<()> {
            self.contains(key).then_some(())
        }
        fn put(&self, key: K, (): ()) -> Option<()> {
            (!self.insert(key)).then_some(())
        }
        fn put_if_absent(&self, key: K, (): ()) {
            self.put(key, ());
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

    impl<K, S> Collection for DashSet<K, S>
    where
        K: Domain + Debug + Eq + Hash,
        S: BuildHasher + Clone + 'static,
    {
        fn operations() -> Vec<Operation<Self>> {
            of_table::<Self, K, ()>(&SET)
        }
    }
}
