//! Open environments whose collections nobody names: they are found.

use std::collections::HashMap;
use std::sync::Arc;

use commute::Domain;
use commute::compose::{Environment, Outcome, check};
use commute::dashmap::{DashMap, DashSet};
use commute::sync::{Mutex, RwLock};

use crate::expect::{holds_only_without, says_nothing_because};

/// Looks, and then acts.
fn get_or_put(map: &DashMap<u32, u32>, key: u32) -> u32 {
    if let Some(value) = map.get(&key) {
        return *value;
    }
    map.insert(key, 1);
    1
}

#[test]
fn a_map_itself_is_found() {
    let alone = check(DashMap::<u32, u32>::new).method(get_or_put);
    holds_only_without(
        alone.environment(Environment::open()),
        [&["insert", "or_insert"]],
    );
    let entry = check(DashMap::<u32, u32>::new)
        .method(|map: &DashMap<u32, u32>, key: u32| *map.entry(key).or_insert(1));
    let checked = entry.environment(Environment::open()).run();
    assert!(checked.is_atomic(), "{checked}");
    // It is others who count.
    assert_eq!(checked.notes, [""; 0]);
    let counts = check(DashMap::<u32, u32>::new).method(|map: &DashMap<u32, u32>, ()| map.len());
    let checked = counts.environment(Environment::open()).run();
    assert!(checked.notes[0].contains("`len`"), "{checked}");
}

#[test]
fn a_map_behind_a_pointer_is_found() {
    #[derive(Default)]
    struct Shared {
        name: String,
        map: Arc<DashMap<u32, u32>>,
    }
    let shared = check(Shared::default).method(|s: &Shared, key: u32| {
        assert!(s.name.is_empty());
        get_or_put(&s.map, key)
    });
    let checked = shared.environment(Environment::open()).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");

    #[derive(Default)]
    struct Inner {
        _pad: [u64; 9],
        map: DashMap<u32, u32>,
    }
    let inner = check(|| Arc::new(Inner::default()));
    let inner = inner.method(|inner: &Arc<Inner>, key: u32| get_or_put(&inner.map, key));
    let checked = inner.environment(Environment::open()).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
}

#[test]
fn shards_are_found() {
    type Shards = Vec<RwLock<HashMap<u32, String>>>;
    let new = || -> Shards { (0..2).map(|_| RwLock::default()).collect() };
    let shard = |shards: &Shards, key: u32| -> bool {
        let shard = &shards[key as usize % 2];
        if shard.read().unwrap().contains_key(&key) {
            return false;
        }
        shard.write().unwrap().insert(key, "a".to_owned()).is_none()
    };
    let checked = { check(new).method(shard).environment(Environment::open()) }.run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.to_string().contains("rwlock#"), "{checked}");
}

/// It is in no domain, but the method uses it.
#[test]
fn keys_that_are_used_are_tried() {
    let dashed = check(DashMap::<String, u64>::new).method(|map: &DashMap<String, u64>, ()| {
        if !map.contains_key("hits") {
            map.insert("hits".to_owned(), 1);
        }
    });
    let checked = dashed.environment(Environment::open()).steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.to_string().contains("(\"hits\""), "{checked}");

    type Locked = RwLock<HashMap<&'static str, u64>>;
    let locked = check(Locked::default).method(|map: &Locked, ()| {
        if !map.read().unwrap().contains_key("hits") {
            map.write().unwrap().insert("hits", 1);
        }
    });
    let checked = locked.environment(Environment::open()).steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
}

#[derive(Domain, Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct User(u8);

struct Session {
    _secret: Box<dyn Fn() + Send + Sync>,
}

/// Nobody can make another one, so others only look and remove.
#[test]
fn values_that_cannot_be_made_are_not_inserted() {
    type Sessions = DashMap<User, Session>;
    let session = || Session {
        _secret: Box::new(|| {}),
    };
    let touch = move || {
        check(Sessions::new)
            .method(|sessions: &Sessions, user: User| {
                sessions.contains_key(&user) && sessions.get(&user).is_none()
            })
            .also_from(move |sessions: &Sessions, user: User| {
                sessions.insert(user, session());
            })
    };
    let checked = touch().environment(Environment::open()).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert_eq!(checked.only_without, [["remove"]]);
    assert!(checked.notes[0].contains("Session` cannot be made"));
    let nobody = Environment::open().without("remove");
    touch().environment(nobody).assert_atomic();
}

/// The same in a lock, where it has to be named.
#[test]
fn keys_of_a_map_in_a_lock_are_enough() {
    type Sessions = RwLock<HashMap<User, Session>>;
    let touch = || {
        check(Sessions::default)
            .method(|sessions: &Sessions, user: User| {
                let is_there = sessions.read().unwrap().contains_key(&user);
                is_there && sessions.read().unwrap().get(&user).is_none()
            })
            .also_from(|sessions: &Sessions, user: User| {
                let secret = Session {
                    _secret: Box::new(|| {}),
                };
                sessions.write().unwrap().insert(user, secret);
            })
            .collection_of_keys(|sessions| sessions)
    };
    let open = touch().environment(Environment::open());
    let checked = open.run();
    assert!(checked.notes[0].contains("Session` cannot be made"));
    assert_eq!(checked.only_without, [["remove"]]);
    let nobody = Environment::open().without("remove");
    touch().environment(nobody).assert_atomic();
}

/// Whoever cannot make a key has tried next to nothing.
#[test]
fn keys_that_cannot_be_made_leave_it_open() {
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    struct Id(u8);
    let ids = check(DashMap::<Id, u8>::new).method(|ids: &DashMap<Id, u8>, n: u8| {
        let is_new = !ids.contains_key(&Id(n));
        ids.insert(Id(n), n);
        is_new
    });
    says_nothing_because(
        ids.environment(Environment::open()),
        "Id` cannot be made, so nobody else used one",
    );
}

#[test]
fn what_is_not_known_is_said() {
    type Sessions = RwLock<HashMap<User, Session>>;
    let sessions = check(Sessions::default)
        .method(|sessions: &Sessions, user: User| sessions.read().unwrap().contains_key(&user));
    says_nothing_because(
        sessions.environment(Environment::open()),
        "what others can do to the `std::collections::hash::map::HashMap<",
    );
    let counter = check(|| Mutex::new(0_u32)).method(|n: &Mutex<u32>, ()| *n.lock().unwrap());
    says_nothing_because(
        counter.environment(Environment::open()),
        "the method uses none that is known",
    );
    let misspelt = check(DashMap::<u32, u32>::new).method(get_or_put);
    says_nothing_because(
        misspelt.environment(Environment::open().without("delete")),
        "nothing is called `delete`",
    );
}

/// It may well be near to what the object has a pointer to.
#[test]
fn what_is_made_by_the_method_is_not_mistaken_for_a_part() {
    struct Named {
        name: Box<u64>,
        set: DashSet<u32>,
    }
    let new = || Named {
        name: Box::new(7),
        set: DashSet::new(),
    };
    let near = check(new).method(|named: &Named, n: u32| {
        let own: Vec<_> = (0..8).map(|_| Box::new(DashMap::new())).collect();
        assert!(own.iter().all(|own| own.insert(n, *named.name).is_none()));
        named.set.insert(n)
    });
    let checked = near.environment(Environment::open()).run();
    let Outcome::Inconclusive(reason) = &checked.outcome else {
        panic!("{checked}");
    };
    assert!(reason.contains("is no part of the object"), "{reason}");
}

/// A map of the method's own is nobody else's, and one in a lock may move.
#[test]
fn what_nobody_else_can_find_is_left_alone() {
    let own = check(DashSet::<u32>::new).method(|set: &DashSet<u32>, n: u32| {
        let own = DashMap::new();
        own.insert(n, n);
        let own = Box::new(own);
        set.insert(*own.get(&n).unwrap().value())
    });
    says_nothing_because(
        own.environment(Environment::open()),
        "is no part of the object",
    );
    type Nested = RwLock<HashMap<u32, RwLock<HashMap<u32, u32>>>>;
    let nested = check(Nested::default).method(|map: &Nested, key: u32| {
        let mut map = map.write().unwrap();
        let inner = map.entry(key).or_default();
        inner.write().unwrap().insert(key, key).is_none()
    });
    says_nothing_because(nested.environment(Environment::open()), "is not known");
}

/// A map that is only iterated over is used, too, and so are the keys that are found.
#[test]
fn what_is_iterated_over_is_found() {
    #[derive(Default)]
    struct Both {
        from: DashMap<u32, u32>,
        to: DashSet<u32>,
    }
    let filled = || {
        let both = Both::default();
        both.from.insert(77, 1);
        both
    };
    let sums = check(filled).method(|both: &Both, ()| {
        let sum = || both.from.iter().map(|entry| *entry.value()).sum::<u32>();
        both.to.insert(0);
        sum() == sum()
    });
    let nobody = Environment::open().without("insert").without("or_insert");
    let checked = sums.environment(nobody).steps(1).run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.to_string().contains("remove(77)"), "{checked}");
}
