//! What is calculated once: Figure 12 (v) with a new object for a value, and (vii).

use std::collections::HashMap;

use commute::compose::{Check, Environment, Fresh, check, same};
use commute::dashmap::{DashMap, Entry};
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Arc, OnceLock, RwLock};

use crate::expect::{BothWays, holds_only_without};

/// Objects that are made when they are asked for.
#[derive(Default)]
struct Objects(DashMap<u8, Arc<u8>>);

impl Objects {
    /// The one that is there now, if it is not the new one.
    fn put_if_absent(&self, key: u8, object: &Arc<u8>) -> Option<Arc<u8>> {
        match self.0.entry(key) {
            Entry::Occupied(there) => Some(Arc::clone(there.get())),
            Entry::Vacant(place) => {
                place.insert(Arc::clone(object));
                None
            }
        }
    }

    /// Figure 12 (ii).
    fn get_or_make(&self, key: u8) -> Arc<u8> {
        let there = self.0.get(&key).map(|object| Arc::clone(&object));
        there.unwrap_or_else(|| {
            let object = Arc::new(2 * key);
            self.put_if_absent(key, &object).unwrap_or(object)
        })
    }

    /// Figure 12 (v): who comes second returns one that nobody else has.
    fn get_or_make_own(&self, key: u8) -> Arc<u8> {
        let there = self.0.get(&key).map(|object| Arc::clone(&object));
        there.unwrap_or_else(|| {
            let object = Arc::new(2 * key);
            self.put_if_absent(key, &object);
            object
        })
    }

    fn which(&self, key: u8) -> Option<Fresh> {
        self.0.get(&key).map(|object| same(&object))
    }
}

fn objects() -> Check<Objects> {
    check(Objects::default)
        .observe("which", Objects::which)
        .environment(Environment::itself())
}

#[test]
fn figure_12_v_is_atomic_against_itself_if_only_values_matter() {
    check(Objects::default)
        .method(|objects: &Objects, key: u8| *objects.get_or_make_own(key))
        .observe("value", |objects: &Objects, key: u8| {
            objects.0.get(&key).map(|object| **object)
        })
        .environment(Environment::itself())
        .assert_atomic_both_ways();
    let own = objects().method(|objects: &Objects, key: u8| same(&objects.get_or_make_own(key)));
    holds_only_without(own, [&["itself"]]);
    objects()
        .method(|objects: &Objects, key: u8| same(&objects.get_or_make(key)))
        .assert_atomic_both_ways();
}

/// Figure 12 (vii): the first to come calculates, the others wait for it.
#[derive(Default)]
struct Memo {
    values: DashMap<u8, Arc<OnceLock<u8>>>,
    calculations: AtomicU32,
}

impl Memo {
    fn calculate(&self, key: u8) -> u8 {
        self.calculations.fetch_add(1, SeqCst);
        2 * key
    }

    fn compute(&self, key: u8) -> u8 {
        let cell = Arc::clone(&self.values.entry(key).or_default());
        *cell.get_or_init(|| self.calculate(key))
    }

    /// Two may find nothing, and both calculate.
    fn compute_by_itself(&self, key: u8) -> u8 {
        if let Some(value) = self.get(key) {
            return value;
        }
        let value = self.calculate(key);
        self.values.insert(key, Arc::new(OnceLock::from(value)));
        value
    }

    /// What is not finished is not there.
    fn get(&self, key: u8) -> Option<u8> {
        let cell = self.values.get(&key)?;
        cell.get().copied()
    }

    fn invalidate(&self, key: u8) -> bool {
        let removed = self.values.remove_if(&key, |_, cell| cell.get().is_some());
        removed.is_some()
    }

    /// Also what is not finished.
    fn invalidate_all(&self, key: u8) -> bool {
        let removed = self.values.remove(&key);
        removed.is_some_and(|(_, cell)| cell.get().is_some())
    }
}

/// How many calculations there were is asked for in the end only: who asks meanwhile
/// sees that there is one which has not ended.
fn memo(method: fn(&Memo, u8) -> u8) -> Check<Memo> {
    check(Memo::default)
        .method(method)
        .observe("get", Memo::get)
        .observe("calculations", |memo: &Memo, ()| {
            memo.calculations.load(SeqCst)
        })
        .environment(Environment::client().without("calculations"))
}

#[test]
fn figure_12_vii_is_atomic_if_what_is_unfinished_is_absent() {
    memo(Memo::compute).assert_atomic_both_ways();
    memo(Memo::compute)
        .peer("invalidate", Memo::invalidate)
        .assert_atomic_both_ways();
    let all = memo(Memo::compute).peer("invalidate", Memo::invalidate_all);
    holds_only_without(all, [&["invalidate"]]);
    holds_only_without(memo(Memo::compute_by_itself), [&["itself"]]);
}

/// To see what is unfinished is to see the method in the middle.
#[test]
fn figure_12_vii_is_not_atomic_if_what_is_unfinished_is_seen() {
    let seen = memo(Memo::compute).observe("is_known", |memo: &Memo, key: u8| {
        memo.values.contains_key(&key)
    });
    holds_only_without(seen, [&["get"], &["is_known"]]);
}

/// Figure 12 (vii) on a map, in the four environments of the others.
fn in_every_environment<T: Default + 'static>(checked: fn(Check<T>) -> Check<T>) -> [bool; 4] {
    let environments = [
        Environment::open(),
        Environment::open().without("remove"),
        Environment::open().without("remove").without("insert"),
        Environment::itself(),
    ];
    environments.map(|environment| {
        let check = checked(check(T::default)).environment(environment);
        let checked = check.run();
        assert!(checked.histories > 0, "{checked}");
        checked.is_atomic()
    })
}

#[derive(Default)]
struct Locked(RwLock<HashMap<u8, Arc<OnceLock<u8>>>>);

impl Locked {
    fn compute(&self, key: u8) -> u8 {
        let cell = Arc::clone(self.0.write().unwrap().entry(key).or_default());
        *cell.get_or_init(|| 2 * key)
    }
}

#[test]
fn figure_12_vii_is_atomic_in_every_environment() {
    let dashed = in_every_environment::<Memo>(|check| {
        check
            .method(|memo: &Memo, key: u8| memo.compute(key))
            .collection_of_futures(
                |memo| &memo.values,
                |cell| cell.get().copied(),
                |value: u8| Arc::new(OnceLock::from(value)),
            )
    });
    assert_eq!(dashed, [true; 4]);
    let locked = in_every_environment::<Locked>(|check| {
        check
            .method(|memo: &Locked, key: u8| memo.compute(key))
            .collection_of_futures(
                |memo| &memo.0,
                |cell| cell.get().copied(),
                |value: u8| Arc::new(OnceLock::from(value)),
            )
    });
    assert_eq!(locked, [true; 4]);
    // Who calculates what another one calculates, too, and replaces it, is not atomic.
    let late = in_every_environment::<Memo>(|check| {
        check
            .method(|memo: &Memo, key: u8| memo.compute_by_itself(key))
            .collection_of_futures(
                |memo| &memo.values,
                |cell| cell.get().copied(),
                |value: u8| Arc::new(OnceLock::from(value)),
            )
    });
    assert!(!late[0]);
}

/// Whoever makes an object where one was that is gone has another one.
#[test]
fn objects_that_are_gone_are_not_taken_for_new_ones() {
    static MISTAKEN: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
    let gone = check(AtomicU32::default).method(|n: &AtomicU32, ()| {
        n.load(SeqCst);
        let first = same(&Arc::new(1_u64));
        let second = same(&Arc::new(2_u64));
        MISTAKEN.fetch_or(first == second, SeqCst);
        (first, second)
    });
    gone.environment(Environment::itself())
        .assert_atomic_both_ways();
    assert!(!MISTAKEN.load(SeqCst));
}
