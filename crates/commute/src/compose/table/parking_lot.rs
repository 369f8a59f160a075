//! Maps and sets of std in locks of `parking_lot`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use super::content::{Content, locked};
use super::{Show, Table};
use crate::compose::collection::{Collection, Operation, collections, of_table};
use crate::compose::domain::Domain;
use crate::parking_lot::{FairMutex, Mutex, RwLock};

locked!(RwLock, |lock| lock.read(), |lock| lock.write());
locked!(Mutex, |lock| lock.lock(), |lock| lock.lock());
locked!(FairMutex, |lock| lock.lock(), |lock| lock.lock());

collections! {
    false [K: Eq + Hash] [V] [S: BuildHasher + 'static] RwLock<HashMap<K, V, S>>;
    false [K: Eq + Hash] [V] [S: BuildHasher + 'static] Mutex<HashMap<K, V, S>>;
    false [K: Eq + Hash] [V] [S: BuildHasher + 'static] FairMutex<HashMap<K, V, S>>;
    false [K: Ord] [V] [] RwLock<BTreeMap<K, V>>;
    false [K: Ord] [V] [] Mutex<BTreeMap<K, V>>;
    false [K: Ord] [V] [] FairMutex<BTreeMap<K, V>>;
    true [K: Eq + Hash] [] [S: BuildHasher + 'static] RwLock<HashSet<K, S>>;
    true [K: Eq + Hash] [] [S: BuildHasher + 'static] Mutex<HashSet<K, S>>;
    true [K: Eq + Hash] [] [S: BuildHasher + 'static] FairMutex<HashSet<K, S>>;
    true [K: Ord] [] [] RwLock<BTreeSet<K>>;
    true [K: Ord] [] [] Mutex<BTreeSet<K>>;
    true [K: Ord] [] [] FairMutex<BTreeSet<K>>;
}
