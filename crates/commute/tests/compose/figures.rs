//! The figures of the paper on COLT, on a map of dashmap and on one in a lock.

use std::collections::HashMap;

use commute::compose::{Check, Collection, Environment, check};
use commute::dashmap::DashMap;
use commute::sync::{PoisonError, RwLock};

/// What a concurrent map of Java has.
trait Map: Default + 'static {
    type Collection: Collection;
    fn collection(&self) -> &Self::Collection;
    fn get(&self, key: u8) -> Option<u8>;
    fn contains_key(&self, key: u8) -> bool;
    fn put(&self, key: u8, value: u8) -> Option<u8>;
    fn put_if_absent(&self, key: u8, value: u8) -> Option<u8>;
    fn remove(&self, key: u8) -> Option<u8>;
    fn replace(&self, key: u8, old: u8, new: u8) -> bool;
}

#[derive(Default)]
struct Dash(DashMap<u8, u8>);

impl Map for Dash {
    type Collection = DashMap<u8, u8>;
    fn collection(&self) -> &DashMap<u8, u8> {
        &self.0
    }
    fn get(&self, key: u8) -> Option<u8> {
        self.0.get(&key).map(|value| *value)
    }
    fn contains_key(&self, key: u8) -> bool {
        self.0.contains_key(&key)
    }
    fn put(&self, key: u8, value: u8) -> Option<u8> {
        self.0.insert(key, value)
    }
    fn put_if_absent(&self, key: u8, value: u8) -> Option<u8> {
        use commute::dashmap::Entry;
        match self.0.entry(key) {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert(value);
                None
            }
        }
    }
    fn remove(&self, key: u8) -> Option<u8> {
        self.0.remove(&key).map(|(_, value)| value)
    }
    fn replace(&self, key: u8, old: u8, new: u8) -> bool {
        match self.0.get_mut(&key) {
            Some(mut value) if *value == old => {
                *value = new;
                true
            }
            _ => false,
        }
    }
}

#[derive(Default)]
struct Locked(RwLock<HashMap<u8, u8>>);

impl Locked {
    fn read<R>(&self, f: impl FnOnce(&HashMap<u8, u8>) -> R) -> R {
        f(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
    fn write<R>(&self, f: impl FnOnce(&mut HashMap<u8, u8>) -> R) -> R {
        f(&mut self.0.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Map for Locked {
    type Collection = RwLock<HashMap<u8, u8>>;
    fn collection(&self) -> &RwLock<HashMap<u8, u8>> {
        &self.0
    }
    fn get(&self, key: u8) -> Option<u8> {
        self.read(|map| map.get(&key).copied())
    }
    fn contains_key(&self, key: u8) -> bool {
        self.read(|map| map.contains_key(&key))
    }
    fn put(&self, key: u8, value: u8) -> Option<u8> {
        self.write(|map| map.insert(key, value))
    }
    fn put_if_absent(&self, key: u8, value: u8) -> Option<u8> {
        self.write(|map| match map.get(&key) {
            Some(there) => Some(*there),
            None => map.insert(key, value),
        })
    }
    fn remove(&self, key: u8) -> Option<u8> {
        self.write(|map| map.remove(&key))
    }
    fn replace(&self, key: u8, old: u8, new: u8) -> bool {
        self.write(|map| {
            let found = map.get(&key) == Some(&old);
            if found {
                map.insert(key, new);
            }
            found
        })
    }
}

/// Whether it is atomic if others do all that can be done to the map, without removals,
/// if they only insert what is not there, and against itself.
fn verdicts<M: Map>(method: fn(Check<M>) -> Check<M>) -> [bool; 4] {
    let environments = [
        Environment::open(),
        Environment::open().without("remove"),
        Environment::open().without("remove").without("insert"),
        Environment::itself(),
    ];
    environments.map(|environment| {
        let check = || {
            check(M::default)
                .observe("get", |m: &M, k: u8| m.get(k))
                .also_from(|m: &M, k: u8| {
                    m.put(k, 1);
                })
        };
        let found = method(check()).environment(environment.clone()).run();
        let named = method(check().collection(M::collection));
        let named = named.environment(environment).run();
        assert_eq!(found.outcome, named.outcome, "{found}\n{named}");
        assert_eq!(found.histories, named.histories);
        found.is_atomic()
    })
}

fn in_both(
    method: fn(Check<Dash>) -> Check<Dash>,
    locked: fn(Check<Locked>) -> Check<Locked>,
    expected: [bool; 4],
) {
    assert_eq!(verdicts(method), expected, "dashmap");
    assert_eq!(verdicts(locked), expected, "RwLock<HashMap>");
}

macro_rules! figure {
    ($name:ident, $expected:expr, $method:expr) => {
        #[test]
        fn $name() {
            fn on<M: Map>(check: Check<M>) -> Check<M> {
                check.method($method)
            }
            in_both(on::<Dash>, on::<Locked>, $expected);
        }
    };
}

fn calculate(_key: u8) -> u8 {
    2
}

fn increment<M: Map>(map: &M, key: u8) {
    loop {
        match map.get(key) {
            None if map.put_if_absent(key, 1).is_none() => return,
            Some(old) if map.replace(key, old, old + 1) => return,
            _ => {}
        }
    }
}

fn remove_attribute<M: Map>(map: &M, key: u8) -> Option<u8> {
    let value = map.get(key)?;
    map.remove(key);
    Some(value)
}

fn compute_iv<M: Map>(map: &M, key: u8) -> Option<u8> {
    if map.get(key).is_none() {
        map.put_if_absent(key, calculate(key));
    }
    map.get(key)
}

figure!(figure_1, [true; 4], |m: &M, key: u8| increment(m, key));
figure!(figure_2a, [false, false, true, false], |m: &M, key: u8| {
    remove_attribute(m, key)
});
figure!(figure_2c, [true; 4], |m: &M, key: u8| m.remove(key));
figure!(figure_3a, [false, false, true, true], |m: &M, key: u8| {
    compute_iv(m, key)
});
figure!(figure_8, [false, false, false, true], |m: &M, key: u8| {
    if m.get(key).is_none() {
        m.put(key, 2);
    }
});
figure!(figure_12_i, [true; 4], |m: &M, key: u8| {
    let value = calculate(key);
    m.put_if_absent(key, value).unwrap_or(value)
});
figure!(figure_12_ii, [true; 4], |m: &M, key: u8| {
    m.get(key).unwrap_or_else(|| {
        let value = calculate(key);
        m.put_if_absent(key, value).unwrap_or(value)
    })
});
figure!(
    figure_12_iii,
    [false, false, true, true],
    |m: &M, key: u8| {
        m.put_if_absent(key, calculate(key));
        m.get(key)
    }
);
figure!(
    figure_12_v,
    [false, false, false, true],
    |m: &M, key: u8| {
        m.get(key).unwrap_or_else(|| {
            let value = calculate(key);
            m.put_if_absent(key, value);
            value
        })
    }
);
figure!(
    figure_12_vi,
    [false, false, true, true],
    |m: &M, key: u8| {
        if !m.contains_key(key) {
            m.put_if_absent(key, calculate(key));
        }
        m.get(key)
    }
);
