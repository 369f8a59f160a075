//! What cannot be checked, and what is said then.

use std::sync::atomic::AtomicU32 as Unseen;

use commute::compose::{Environment, Outcome, check};
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Mutex, PoisonError};

use crate::expect::says_nothing_because;

#[test]
fn a_method_that_uses_nothing_cannot_be_attacked() {
    let nothing = check(|| 3).method(|three: &u8, add: u8| *three + add);
    says_nothing_because(nothing, "nothing to attack");
    let unseen = check(|| Unseen::new(0)).method(|n: &Unseen, ()| n.fetch_add(1, SeqCst));
    says_nothing_because(unseen, "nothing to attack");
}

#[test]
fn a_method_does_the_same_when_it_is_run_again() {
    static RUNS: Unseen = Unseen::new(0);
    let restless = check(AtomicU32::default)
        .method(|n: &AtomicU32, ()| match RUNS.fetch_add(1, SeqCst) % 2 {
            0 => n.fetch_add(1, SeqCst),
            _ => n.load(SeqCst),
        })
        .observe("now", |n: &AtomicU32, ()| n.load(SeqCst));
    says_nothing_because(restless, "not the same");
}

/// It makes the same steps each time, so only what it returns tells.
#[test]
fn a_method_returns_the_same_when_it_is_run_again() {
    static RUNS: Unseen = Unseen::new(0);
    let restless = || {
        check(AtomicU32::default).method(|n: &AtomicU32, ()| {
            n.load(SeqCst);
            RUNS.fetch_add(1, SeqCst)
        })
    };
    says_nothing_because(
        restless(),
        "the method is not the same in every run: it returned 0",
    );
    let fresh = check(AtomicU32::default).method(|n: &AtomicU32, ()| {
        n.load(SeqCst);
        commute::compose::fresh(RUNS.fetch_add(1, SeqCst).into())
    });
    fresh.assert_atomic();
}

#[test]
fn a_loop_has_an_end() {
    let endless = check(AtomicU32::default).method(|n: &AtomicU32, ()| {
        loop {
            n.fetch_add(1, SeqCst);
        }
    });
    says_nothing_because(endless, "loop without an end");
    let busy = check(AtomicU32::default).method(|n: &AtomicU32, ()| {
        while n.compare_exchange(1, 0, SeqCst, SeqCst).is_err() {}
    });
    says_nothing_because(busy, "spin_loop");
}

/// The environment is empty, since so many calls of the method would take a while.
#[test]
fn too_many_arguments_are_counted() {
    type Wide = (u8, u8, u8, u8, u8, u8, u8);
    let alone = || {
        let nobody = Environment::itself().without("itself");
        check(AtomicU32::default).environment(nobody)
    };
    let wide = alone().method(|n: &AtomicU32, _: Wide| n.load(SeqCst));
    says_nothing_because(wide, "`itself` has 128 arguments");
    let cut = { alone().at_most(3) }.method(|n: &AtomicU32, _: Wide| n.load(SeqCst));
    says_nothing_because(cut, "of 128 arguments of `itself`, 3 were tried");
}

#[test]
fn who_waits_for_ever_does_so_in_every_history() {
    let locks_twice = check(|| Mutex::new(0)).method(|lock: &Mutex<u8>, ()| {
        let first = lock.lock().unwrap_or_else(PoisonError::into_inner);
        let second = lock.lock().unwrap_or_else(PoisonError::into_inner);
        *first + *second
    });
    assert_eq!(locks_twice.run().outcome, Outcome::Deadlock);
    let spins = check(AtomicU32::default).method(|n: &AtomicU32, ()| wait_and_take(n));
    assert_eq!(spins.run().outcome, Outcome::Deadlock);
}

fn wait_and_take(n: &AtomicU32) {
    while n.compare_exchange(1, 0, SeqCst, SeqCst).is_err() {
        commute::hint::spin_loop();
    }
}

/// Histories in which nobody comes to help are left out.
#[test]
fn who_waits_for_others_is_atomic_when_they_come() {
    check(AtomicU32::default)
        .method(|n: &AtomicU32, ()| wait_and_take(n))
        .peer("wake", |n: &AtomicU32, ()| n.swap(1, SeqCst))
        .observe("now", |n: &AtomicU32, ()| n.load(SeqCst))
        .assert_atomic();
}

#[test]
fn what_a_check_lacks_is_said() {
    let no_method = check(AtomicU32::default).peer("load", |n: &AtomicU32, ()| n.load(SeqCst));
    says_nothing_because(no_method, "there is no method to check");
    let no_object = check(|| -> AtomicU32 { panic!("there is none") })
        .method(|n: &AtomicU32, ()| n.load(SeqCst));
    says_nothing_because(no_object, "the object cannot be made");
    let nobody = Environment::client().without("lod");
    let no_such = check(AtomicU32::default)
        .method(|n: &AtomicU32, ()| n.load(SeqCst))
        .environment(nobody);
    says_nothing_because(no_such, "nothing is called `lod`");
    let no_collection = check(AtomicU32::default)
        .method(|n: &AtomicU32, ()| n.load(SeqCst))
        .environment(Environment::open());
    says_nothing_because(no_collection, "an open environment needs a collection");
}
