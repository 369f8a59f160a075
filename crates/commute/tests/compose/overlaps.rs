//! Peers that interrupt each other, too.

use commute::compose::{Check, Environment, Outcome, check};
use commute::dashmap::DashMap;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Mutex, PoisonError};

fn counter(add: fn(&AtomicU32) -> u32) -> Check<AtomicU32> {
    check(AtomicU32::default)
        .method(|n: &AtomicU32, ()| n.load(SeqCst))
        .peer("add", move |n: &AtomicU32, ()| add(n))
}

fn add_in_two_steps(n: &AtomicU32) -> u32 {
    let old = n.load(SeqCst);
    n.store(old + 1, SeqCst);
    old
}

/// The method is atomic, and what others do is not.
#[test]
fn what_others_do_has_to_be_atomic_too() {
    counter(add_in_two_steps).assert_atomic();
    let checked = counter(add_in_two_steps).overlapping().run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    assert!(checked.to_string().contains("in no order"), "{checked}");
    assert_eq!(checked.only_without, [["add"]]);
    counter(|n| n.fetch_add(1, SeqCst))
        .overlapping()
        .assert_atomic();
}

/// A reader in two steps sees a writer of two cells before it has begun and after.
#[test]
fn one_who_looks_twice_is_seen_between() {
    #[derive(Default)]
    struct Pair(AtomicU32, AtomicU32);
    let pair = |backwards: bool| {
        check(Pair::default)
            .method(|pair: &Pair, ()| {
                pair.0.store(1, SeqCst);
                pair.1.store(1, SeqCst);
            })
            .peer("look", move |pair: &Pair, ()| match backwards {
                false => (pair.0.load(SeqCst), pair.1.load(SeqCst)),
                true => {
                    let second = pair.1.load(SeqCst);
                    (pair.0.load(SeqCst), second)
                }
            })
            .steps(1)
            .overlapping()
            .run()
    };
    for backwards in [false, true] {
        let checked = pair(backwards);
        assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    }
}

#[test]
fn locks_and_maps_are_linearizable() {
    check(|| Mutex::new((0, 0)))
        .method(|pair: &Mutex<(u32, u32)>, ()| {
            let mut pair = pair.lock().unwrap_or_else(PoisonError::into_inner);
            pair.0 += 1;
            pair.1 += 1;
            *pair
        })
        .peer("swap", |pair: &Mutex<(u32, u32)>, ()| {
            let mut pair = pair.lock().unwrap_or_else(PoisonError::into_inner);
            pair.0 += 2;
            *pair = (pair.1, pair.0);
            *pair
        })
        .overlapping()
        .assert_atomic();
    let map = |entry: bool| {
        check(DashMap::<u8, u8>::new)
            .method(|map: &DashMap<u8, u8>, key: u8| map.remove(&key).map(|(_, value)| value))
            .peer("add", move |map: &DashMap<u8, u8>, key: u8| {
                if entry {
                    *map.entry(key).and_modify(|n| *n += 1).or_insert(1)
                } else {
                    let next = map.get(&key).map_or(1, |n| *n + 1);
                    map.insert(key, next);
                    next
                }
            })
            .overlapping()
            .run()
    };
    assert_eq!(map(true).outcome, Outcome::Atomic);
    assert_eq!(map(false).outcome, Outcome::NotAtomic);
}

/// Who looks at the new copy and has gone, and then somebody at the old one: in time, the
/// new value comes before the old one.
#[test]
fn who_comes_later_does_not_see_what_is_older() {
    #[derive(Default)]
    struct Copies {
        new: AtomicU32,
        old: AtomicU32,
    }
    let copies = |old: fn(&Copies) -> u32| {
        check(Copies::default)
            .method(|copies: &Copies, ()| copies.new.load(SeqCst))
            .peer("set", |copies: &Copies, ()| {
                copies.new.store(1, SeqCst);
                copies.old.store(1, SeqCst);
            })
            .peer("look", move |copies: &Copies, ()| old(copies))
            .environment(Environment::client().without("itself"))
    };
    copies(|copies| copies.old.load(SeqCst)).assert_atomic();
    let checked = copies(|copies| copies.old.load(SeqCst)).overlapping().run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    copies(|copies| copies.new.load(SeqCst))
        .overlapping()
        .assert_atomic();
}
