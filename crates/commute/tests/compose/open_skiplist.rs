//! Open environments of maps and sets of `crossbeam-skiplist`.

use std::sync::Arc;

use commute::Domain;
use commute::compose::{Environment, Outcome, check};
use commute::crossbeam::skiplist::{SkipMap, SkipSet};
use commute::dashmap::DashMap;

use crate::expect::{holds_only_without, says_nothing_because};

type Map = SkipMap<u32, u32>;

#[test]
fn a_map() {
    let late = || {
        check(Map::new).method(|map: &Map, key: u32| {
            if let Some(entry) = map.get(&key) {
                return *entry.value();
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
        || check(Map::new).method(|map: &Map, key: u32| *map.get_or_insert(key, 1).value());
    at_once().environment(Environment::open()).assert_atomic();
    let named = at_once().collection(|map| map);
    named.environment(Environment::open()).assert_atomic();
}

#[test]
fn a_set() {
    let late = || {
        check(SkipSet::<u32>::new).method(|set: &SkipSet<u32>, key: u32| {
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
    let at_once = || {
        check(SkipSet::<u32>::new).method(|set: &SkipSet<u32>, key: u32| *set.get_or_insert(key))
    };
    at_once().environment(Environment::open()).assert_atomic();
    let named = at_once().collection(|set| set);
    named.environment(Environment::open()).assert_atomic();
}

#[derive(Domain, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct User(u8);

/// Who looks at a map need not know that its keys can be sent. Who changes one says so.
#[test]
fn what_is_only_looked_at_is_known_if_somebody_changes_it() {
    type Users = SkipMap<User, u32>;
    let twice = || {
        check(Users::new).method(|users: &Users, user: User| {
            users.contains_key(&user) && users.get(&user).is_none()
        })
    };
    says_nothing_because(
        twice().environment(Environment::open()),
        "what others can do to the `commute::crossbeam::skiplist::map::SkipMap<",
    );
    let filled = twice().also_from(|users: &Users, user: User| {
        users.insert(user, 1);
    });
    let checked = filled.environment(Environment::open()).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.only_without.contains(&vec!["remove".to_owned()]));
}

/// It was there before any of its entries was lent.
#[test]
fn what_is_changed_after_a_look_is_found_behind_a_pointer() {
    #[derive(Domain, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    struct Guest(u8);
    type Guests = Arc<SkipMap<Guest, u32>>;
    let late = check(Guests::default).method(|guests: &Guests, guest: Guest| {
        if guests.contains_key(&guest) {
            return false;
        }
        guests.insert(guest, 1);
        true
    });
    let late = late.environment(Environment::open());
    holds_only_without(late, [&["insert", "or_insert"]]);
}

/// Whether an entry is still there is asked of the map.
#[test]
fn an_entry_that_is_removed_says_so() {
    let stale = check(Map::new)
        .method(|map: &Map, key: u32| map.get(&key).is_some_and(|entry| entry.is_removed()))
        .also_from(|map: &Map, key: u32| {
            map.insert(key, 1);
        });
    let checked = stale.environment(Environment::open()).steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
}

/// It is in no domain, but the map has it.
#[test]
fn keys_that_an_iteration_finds_are_tried() {
    let twice = check(|| Map::from_iter([(77, 1)])).method(|map: &Map, ()| {
        let sum = || map.iter().map(|entry| *entry.value()).sum::<u32>();
        sum() == sum()
    });
    let twice = twice.environment(Environment::open().without("insert").without("or_insert"));
    let checked = twice.steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.to_string().contains("remove(77)"), "{checked}");
}

/// Others may remove it, and then it is not there any more.
#[test]
fn what_is_in_an_entry_is_left_alone() {
    type Maps = SkipMap<u32, DashMap<u32, u32>>;
    let nested = check(|| {
        let maps = Maps::new();
        maps.insert(0, DashMap::new());
        maps
    });
    let nested = nested.method(|maps: &Maps, key: u32| {
        let entry = maps.get(&0);
        entry.is_some_and(|entry| entry.value().insert(key, 1).is_none())
    });
    says_nothing_because(
        nested.environment(Environment::open()),
        "is no part of the object",
    );
}
