//! What is initialised once.

use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Arc, Barrier, LazyLock, Once, OnceLock};
use commute::thread;

use crate::seen::{outcomes, seen};

#[test]
fn one_of_two_initialises() {
    let count = outcomes(|| {
        let cell = Arc::new(OnceLock::new());
        let calls = Arc::new(AtomicU32::new(0));
        let (other, counted) = (Arc::clone(&cell), Arc::clone(&calls));
        let thread = thread::spawn(move || {
            other.get_or_init(|| counted.fetch_add(1, SeqCst));
        });
        cell.get_or_init(|| calls.fetch_add(1, SeqCst));
        thread.join().unwrap();
        assert_eq!(calls.load(SeqCst), 1);
    });
    assert_eq!(count, 2);
}

#[test]
fn a_cell_is_empty_or_not() {
    let count = outcomes(|| {
        let cell = Arc::new(OnceLock::new());
        let other = Arc::clone(&cell);
        let thread = thread::spawn(move || other.set(7).unwrap());
        assert!([None, Some(&7)].contains(&cell.get()));
        assert_eq!(cell.wait(), &7);
        thread.join().unwrap();
        assert_eq!(cell.set(8), Err(8));
    });
    assert_eq!(count, 2);
}

#[test]
fn a_panic_leaves_a_cell_to_others_and_a_once_to_nobody() {
    let count = outcomes(|| {
        let cell = Arc::new(OnceLock::new());
        let other = Arc::clone(&cell);
        let thread = thread::spawn(move || *other.get_or_init(|| panic!("on purpose")));
        assert!(thread.join().is_err());
        assert_eq!(cell.get_or_init(|| 7), &7);

        let once = Arc::new(Once::new());
        let other = Arc::clone(&once);
        let thread = thread::spawn(move || other.call_once(|| panic!("on purpose")));
        assert!(thread.join().is_err());
        let other = Arc::clone(&once);
        assert!(
            thread::spawn(move || other.call_once(|| {}))
                .join()
                .is_err()
        );
        assert!(!once.is_completed());
        once.call_once_force(|state| assert!(state.is_poisoned()));
        assert!(once.is_completed());
        once.wait();
    });
    assert_eq!(count, 1);
}

#[test]
fn a_lazy_value_is_made_by_who_comes_first() {
    let count = outcomes(|| {
        let lazy = Arc::new(LazyLock::<_, fn() -> _>::new(|| thread::current().id()));
        let other = Arc::clone(&lazy);
        let thread = thread::spawn(move || **other);
        let id = **lazy;
        assert_eq!(thread.join().unwrap(), id);
    });
    assert_eq!(count, 2);
}

#[test]
fn a_cell_that_initialises_itself_waits_for_ever() {
    let seen = seen(|| {
        let cell = OnceLock::new();
        cell.get_or_init(|| *cell.get_or_init(|| 7));
    });
    assert_eq!((seen.deadlocks, seen.leaks), (1, 0));
}

#[test]
fn one_is_the_leader_of_a_barrier() {
    let count = outcomes(|| {
        let barrier = Arc::new(Barrier::new(2));
        let value = Arc::new(AtomicU32::new(0));
        let (other, theirs) = (Arc::clone(&barrier), Arc::clone(&value));
        let thread = thread::spawn(move || {
            theirs.store(1, SeqCst);
            other.wait().is_leader()
        });
        let is_leader = barrier.wait().is_leader();
        assert_eq!(value.load(SeqCst), 1);
        assert_ne!(thread.join().unwrap(), is_leader);
    });
    assert_eq!(count, 2);
}

#[test]
fn a_barrier_that_too_few_come_to_is_a_deadlock() {
    let seen = seen(|| {
        Barrier::new(2).wait();
    });
    assert_eq!((seen.deadlocks, seen.leaks), (1, 0));
}
