//! Open environments of maps and sets of `scc`.

use commute::compose::{Environment, Outcome, check};
use commute::scc::{HashMap, HashSet};

use crate::expect::holds_only_without;

type Map = HashMap<u32, u32>;

#[test]
fn a_map() {
    let late = || {
        check(Map::new).method(|map: &Map, key: u32| {
            if let Some(value) = map.read_sync(&key, |_, value| *value) {
                return value;
            }
            map.upsert_sync(key, 1);
            1
        })
    };
    for late in [late(), late().collection(|map| map)] {
        let open = late.environment(Environment::open());
        holds_only_without(open, [&["insert", "or_insert"]]);
    }
    let entry =
        || check(Map::new).method(|map: &Map, key: u32| *map.entry_sync(key).or_insert(1).get());
    entry().environment(Environment::open()).assert_atomic();
    let named = entry().collection(|map| map);
    named.environment(Environment::open()).assert_atomic();
}

#[test]
fn a_set() {
    let late = || {
        check(HashSet::<u32>::new).method(|set: &HashSet<u32>, key: u32| {
            if set.contains_sync(&key) {
                return false;
            }
            let _ = set.insert_sync(key);
            true
        })
    };
    for late in [late(), late().collection(|set| set)] {
        holds_only_without(late.environment(Environment::open()), [&["or_insert"]]);
    }
    let at_once = || {
        check(HashSet::<u32>::new)
            .method(|set: &HashSet<u32>, key: u32| set.insert_sync(key).is_ok())
    };
    at_once().environment(Environment::open()).assert_atomic();
    let named = at_once().collection(|set| set);
    named.environment(Environment::open()).assert_atomic();
}

/// It is in no domain, but the map has it.
#[test]
fn keys_that_an_iteration_finds_are_tried() {
    let filled = || {
        let map = Map::new();
        map.upsert_sync(77, 1);
        map
    };
    let twice = check(filled).method(|map: &Map, ()| {
        let sum = || {
            let mut sum = 0;
            map.iter_sync(|_, value| {
                sum += value;
                true
            });
            sum
        };
        sum() == sum()
    });
    let nobody = Environment::open().without("insert").without("or_insert");
    let checked = twice.environment(nobody).steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.to_string().contains("remove(77)"), "{checked}");
}

#[test]
fn keys_that_are_used_are_tried() {
    type Hits = HashMap<String, u64>;
    let late = check(Hits::new).method(|hits: &Hits, ()| {
        if !hits.contains_sync("hits") {
            hits.upsert_sync("hits".to_owned(), 1);
        }
    });
    let checked = late.environment(Environment::open()).steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.to_string().contains("(\"hits\""), "{checked}");
}
