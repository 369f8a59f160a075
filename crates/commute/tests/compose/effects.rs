//! Methods that say when they take effect.

use commute::compose::{Check, Environment, Outcome, check, takes_effect};
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};

fn counter(method: impl Fn(&AtomicU32, ()) -> u32 + 'static) -> Check<AtomicU32> {
    check(AtomicU32::default)
        .method(method)
        .observe("now", |n: &AtomicU32, ()| n.load(SeqCst))
        .environment(Environment::itself())
}

/// The exchange that succeeds is the point, and not the look before.
fn increment(n: &AtomicU32, says_early: bool) -> u32 {
    loop {
        let old = n.load(SeqCst);
        if says_early {
            takes_effect();
        }
        if n.compare_exchange(old, old + 1, SeqCst, SeqCst).is_ok() {
            if !says_early {
                takes_effect();
            }
            return old;
        }
    }
}

#[test]
fn the_point_that_is_said_has_to_be_one() {
    counter(|n, ()| increment(n, false)).assert_atomic();
    // Whoever looks between the two sees that it has not happened yet.
    let early = counter(|n, ()| increment(n, true)).run();
    assert_eq!(early.outcome, Outcome::NotAtomic, "{early}");
    counter(|n, ()| {
        let old = n.fetch_add(1, SeqCst);
        takes_effect();
        old
    })
    .assert_atomic();
    let too_early = counter(|n, ()| {
        n.load(SeqCst);
        takes_effect();
        n.fetch_add(1, SeqCst)
    });
    let checked = too_early.run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
    // There is a point, if not this one.
    counter(|n, ()| {
        n.load(SeqCst);
        n.fetch_add(1, SeqCst)
    })
    .assert_atomic();
}

/// It says so only where others have come before it.
#[test]
fn a_point_that_is_come_to_late_counts() {
    let late = counter(|n, ()| {
        if n.load(SeqCst) == 0 {
            return n.fetch_add(1, SeqCst);
        }
        takes_effect();
        n.fetch_add(1, SeqCst)
    });
    let checked = late.run();
    assert_eq!(checked.outcome, Outcome::NotAtomic, "{checked}");
}
