//! Open environments of collections in locks of `parking_lot`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use commute::compose::{Environment, Outcome, check};
use commute::parking_lot::{Condvar, FairMutex, Mutex, RwLock, RwLockUpgradableReadGuard};

use crate::expect::holds_only_without;

/// Looks with one guard and acts with another; or has one for both.
macro_rules! maps {
    ($($name:ident: $Lock:ident<$Map:ident>, $read:ident, $write:ident;)*) => {
        $(#[test]
        fn $name() {
            type Map = $Lock<$Map<u32, u32>>;
            let late = || check(Map::default).method(|map: &Map, key: u32| {
                if let Some(value) = map.$read().get(&key) {
                    return *value;
                }
                map.$write().insert(key, 1);
                1
            });
            let named = late().collection(|map| map);
            for late in [late(), named] {
                let open = late.environment(Environment::open());
                holds_only_without(open, [&["insert", "or_insert"]]);
            }
            let at_once = || check(Map::default)
                .method(|map: &Map, key: u32| *map.$write().entry(key).or_insert(1));
            at_once().environment(Environment::open()).assert_atomic();
            let named = at_once().collection(|map| map);
            named.environment(Environment::open()).assert_atomic();
        })*
    };
}

maps! {
    a_hash_map_in_a_mutex: Mutex<HashMap>, lock, lock;
    a_hash_map_in_a_fair_mutex: FairMutex<HashMap>, lock, lock;
    a_hash_map_in_a_reader_writer_lock: RwLock<HashMap>, read, write;
    a_tree_map_in_a_mutex: Mutex<BTreeMap>, lock, lock;
    a_tree_map_in_a_fair_mutex: FairMutex<BTreeMap>, lock, lock;
    a_tree_map_in_a_reader_writer_lock: RwLock<BTreeMap>, read, write;
}

/// Says twice that it is the first, or not.
macro_rules! sets {
    ($($name:ident: $Lock:ident<$Set:ident>, $read:ident, $write:ident;)*) => {
        $(#[test]
        fn $name() {
            type Set = $Lock<$Set<u32>>;
            let late = || check(Set::default).method(|set: &Set, key: u32| {
                if set.$read().contains(&key) {
                    return false;
                }
                set.$write().insert(key);
                true
            });
            let named = late().collection(|set| set);
            for late in [late(), named] {
                let open = late.environment(Environment::open());
                holds_only_without(open, [&["or_insert"]]);
            }
            let at_once = || check(Set::default)
                .method(|set: &Set, key: u32| set.$write().insert(key));
            at_once().environment(Environment::open()).assert_atomic();
            let named = at_once().collection(|set| set);
            named.environment(Environment::open()).assert_atomic();
        })*
    };
}

sets! {
    a_hash_set_in_a_mutex: Mutex<HashSet>, lock, lock;
    a_hash_set_in_a_fair_mutex: FairMutex<HashSet>, lock, lock;
    a_hash_set_in_a_reader_writer_lock: RwLock<HashSet>, read, write;
    a_tree_set_in_a_mutex: Mutex<BTreeSet>, lock, lock;
    a_tree_set_in_a_fair_mutex: FairMutex<BTreeSet>, lock, lock;
    a_tree_set_in_a_reader_writer_lock: RwLock<BTreeSet>, read, write;
}

/// Who may upgrade lets nobody write in between.
#[test]
fn a_guard_that_is_upgraded_is_one() {
    type Map = RwLock<HashMap<u32, u32>>;
    let upgraded = check(Map::default).method(|map: &Map, key: u32| {
        let found = map.upgradable_read();
        if let Some(value) = found.get(&key) {
            return *value;
        }
        *RwLockUpgradableReadGuard::upgrade(found)
            .entry(key)
            .or_insert(1)
    });
    upgraded.environment(Environment::open()).assert_atomic();
}

/// The guard owns an `Arc`, and what it is of is found all the same.
#[test]
fn guards_that_own_their_lock() {
    type Map = Arc<Mutex<HashMap<u32, u32>>>;
    let late = check(Map::default).method(|map: &Map, key: u32| {
        if let Some(value) = map.lock_arc().get(&key) {
            return *value;
        }
        map.lock_arc().insert(key, 1);
        1
    });
    let late = late.environment(Environment::open());
    holds_only_without(late, [&["insert", "or_insert"]]);
}

/// Whoever has given a guard back has none when it uses the next lock.
#[test]
fn what_is_used_after_a_guard_is_found() {
    #[derive(Default)]
    struct Both {
        count: Mutex<u32>,
        seen: RwLock<u32>,
        is_ready: Condvar,
        map: Mutex<HashMap<u32, u32>>,
    }
    let late = check(Both::default).method(|both: &Both, key: u32| {
        let mut count = both.count.lock();
        *count += 1;
        let soon = std::time::Duration::from_millis(1);
        both.is_ready.wait_for(&mut count, soon);
        drop(count);
        drop(both.seen.upgradable_read());
        drop(both.seen.read());
        if both.map.lock().contains_key(&key) {
            return false;
        }
        both.map.lock().insert(key, 1).is_none()
    });
    let checked = late.environment(Environment::open()).steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.notes.is_empty(), "{checked}");
}

/// It is in no domain, but the map has it.
#[test]
fn keys_that_are_there_are_tried() {
    type Map = RwLock<HashMap<u32, u32>>;
    let twice = check(|| Map::new(HashMap::from([(77, 1)]))).method(|map: &Map, ()| {
        let first: u32 = map.read().values().sum();
        let second: u32 = map.read().values().sum();
        first == second
    });
    let nobody = Environment::open().without("insert").without("or_insert");
    let checked = twice.environment(nobody).steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.to_string().contains("remove(77)"), "{checked}");
}
