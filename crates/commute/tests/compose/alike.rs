//! Histories that end alike, of which only some have an explanation. Who takes one for
//! the other when pruning, or forgets who was first, calls these methods atomic.

use commute::compose::{Check, Environment, Outcome, check};
use commute::dashmap::DashSet;
use commute::sync::Mutex;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};

type Two = (AtomicU32, AtomicU32);

fn is_not_atomic<T: 'static>(make: impl Fn() -> Check<T>) {
    assert_eq!(make().run().outcome, Outcome::NotAtomic);
    assert_eq!(make().exhaustive().run().outcome, Outcome::NotAtomic);
}

fn set_first(two: &Two, (): ()) {
    two.0.store(1, SeqCst);
}

fn set_second(two: &Two, (): ()) {
    two.1.store(1, SeqCst);
}

/// To see the second number only is right if it was set before the first one.
#[test]
fn the_order_of_others_matters() {
    let looks = |two: &Two, (): ()| (two.0.load(SeqCst), two.1.load(SeqCst));
    is_not_atomic(|| {
        { check(Two::default).method(looks) }
            .peer("set first", set_first)
            .peer("set second", set_second)
    });
    is_not_atomic(|| {
        { check(Two::default).method(looks) }
            .peer("set second", set_second)
            .peer("set first", set_first)
    });
}

/// Nobody is told anything, but the numbers differ in the end.
#[test]
fn what_is_left_matters_if_nobody_saw_it() {
    let set = |two: &Two, to| {
        two.0.store(to, SeqCst);
        two.1.store(to, SeqCst);
    };
    is_not_atomic(|| {
        check(Two::default)
            .method(move |two, (): ()| set(two, 1))
            .peer("set", move |two, (): ()| set(two, 2))
            .observe("both", |two, (): ()| {
                (two.0.load(SeqCst), two.1.load(SeqCst))
            })
    });
}

/// It adds nothing if somebody else does, and that shows only when it has returned.
fn may_add(number: &AtomicU32) {
    let old = number.load(SeqCst);
    let _ = number.compare_exchange(old, old + 10, SeqCst, SeqCst);
}

#[test]
fn a_method_does_nothing_after_it_has_returned() {
    is_not_atomic(|| {
        check(AtomicU32::default)
            .method(|number, (): ()| may_add(number))
            .peer("add", |number, (): ()| number.fetch_add(1, SeqCst))
            .environment(Environment::client().without("itself"))
    });
}

/// The last addition finds the same just before the method returns, and is explained then.
#[test]
fn it_matters_whether_the_method_had_returned() {
    type Locked = (AtomicU32, Mutex<()>);
    is_not_atomic(|| {
        check(Locked::default)
            .method(|locked: &Locked, (): ()| {
                may_add(&locked.0);
                drop(locked.1.lock());
            })
            .peer("add", |locked, (): ()| locked.0.fetch_add(1, SeqCst))
            .environment(Environment::client().without("itself"))
    });
}

/// What was inserted behind its back is left, though it had not come to the end.
#[test]
fn dashmap_clears_one_by_one() {
    is_not_atomic(|| {
        check(DashSet::<u32>::new)
            .method(|set, (): ()| set.clear())
            .also_from(|set, (): ()| {
                set.insert(1);
                set.insert(2);
            })
            .peer("insert", |set, key: u32| (set.insert(key), set.insert(3)))
            .observe("has 3", |set, (): ()| set.contains(&3))
    });
}
