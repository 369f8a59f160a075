//! Open environments of maps and sets of `papaya`.

use commute::compose::{Environment, Outcome, check};
use commute::dashmap::DashMap;
use commute::papaya::{HashMap, HashSet};

use crate::expect::{holds_only_without, says_nothing_because};

type Map = HashMap<u32, u32>;

#[test]
fn a_map() {
    let late = || {
        check(Map::new).method(|map: &Map, key: u32| {
            let map = map.pin();
            if let Some(value) = map.get(&key) {
                return *value;
            }
            map.insert(key, 1);
            1
        })
    };
    for late in [late(), late().collection(|map| map)] {
        let open = late.environment(Environment::open());
        holds_only_without(open, [&["insert", "or_insert"]]);
    }
    let at_once =
        || check(Map::new).method(|map: &Map, key: u32| *map.pin().get_or_insert_with(key, || 1));
    at_once().environment(Environment::open()).assert_atomic();
    let named = at_once().collection(|map| map);
    named.environment(Environment::open()).assert_atomic();
}

/// What they saw may be gone, and then they are called again.
#[test]
fn closures() {
    let add = check(Map::new)
        .method(|map: &Map, key: u32| *map.pin().update_or_insert(key, |value| value + 1, 1));
    add.environment(Environment::open()).assert_atomic();
    let apart = check(Map::new).method(|map: &Map, key: u32| {
        let value = map.pin().get(&key).copied().unwrap_or(0) + 1;
        map.pin().insert(key, value);
        value
    });
    let checked = apart.environment(Environment::open()).steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
}

#[test]
fn a_set() {
    let late = || {
        check(HashSet::<u32>::new).method(|set: &HashSet<u32>, key: u32| {
            let set = set.pin();
            if set.contains(&key) {
                return false;
            }
            set.insert(key);
            true
        })
    };
    for late in [late(), late().collection(|set| set)] {
        holds_only_without(late.environment(Environment::open()), [&["or_insert"]]);
    }
    let at_once =
        || check(HashSet::<u32>::new).method(|set: &HashSet<u32>, key: u32| set.pin().insert(key));
    at_once().environment(Environment::open()).assert_atomic();
    let named = at_once().collection(|set| set);
    named.environment(Environment::open()).assert_atomic();
}

/// It is in no domain, but the map has it.
#[test]
fn keys_that_an_iteration_finds_are_tried() {
    let filled = || Map::from([(77, 1)]);
    let twice = check(filled).method(|map: &Map, ()| {
        let map = map.pin();
        map.values().sum::<u32>() == map.values().sum::<u32>()
    });
    let twice = twice.environment(Environment::open().without("insert").without("or_insert"));
    let checked = twice.steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.to_string().contains("remove(77)"), "{checked}");
}

#[test]
fn keys_that_are_used_are_tried() {
    type Hits = HashMap<String, u64>;
    let late = check(Hits::new).method(|hits: &Hits, ()| {
        if !hits.pin().contains_key("hits") {
            hits.pin().insert("hits".to_owned(), 1);
        }
    });
    let checked = late.environment(Environment::open()).steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.to_string().contains("(\"hits\""), "{checked}");
}

/// Others may remove it, and then it is not there any more.
#[test]
fn what_is_in_an_entry_is_left_alone() {
    type Maps = HashMap<u32, DashMap<u32, u32>>;
    let nested = check(|| {
        let maps = Maps::new();
        maps.pin().insert(0, DashMap::new());
        maps
    });
    let nested = nested.method(|maps: &Maps, key: u32| {
        let maps = maps.pin();
        let map = maps.get(&0);
        map.is_some_and(|map| map.insert(key, 1).is_none())
    });
    says_nothing_because(
        nested.environment(Environment::open()),
        "is no part of the object",
    );
}
