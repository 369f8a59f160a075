//! Maps and sets of std in its locks.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use super::content::{Content, locked};
use super::{Show, Table};
use crate::compose::collection::{Collection, Operation, collections, of_table};
use crate::compose::domain::Domain;
use crate::sync::{Mutex, PoisonError, RwLock};

// Who finds it poisoned goes on.
locked!(
    RwLock,
    |lock| lock.read().unwrap_or_else(PoisonError::into_inner),
    |lock| lock.write().unwrap_or_else(PoisonError::into_inner)
);
locked!(
    Mutex,
    |lock| lock.lock().unwrap_or_else(PoisonError::into_inner),
    |lock| lock.lock().unwrap_or_else(PoisonError::into_inner)
);

collections! {
    false [K: Eq + Hash] [V] [S: BuildHasher + 'static] RwLock<HashMap<K, V, S>>;
    false [K: Eq + Hash] [V] [S: BuildHasher + 'static] Mutex<HashMap<K, V, S>>;
    false [K: Ord] [V] [] RwLock<BTreeMap<K, V>>;
    false [K: Ord] [V] [] Mutex<BTreeMap<K, V>>;
    true [K: Eq + Hash] [] [S: BuildHasher + 'static] RwLock<HashSet<K, S>>;
    true [K: Eq + Hash] [] [S: BuildHasher + 'static] Mutex<HashSet<K, S>>;
    true [K: Ord] [] [] RwLock<BTreeSet<K>>;
    true [K: Ord] [] [] Mutex<BTreeSet<K>>;
}
