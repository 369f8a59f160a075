//! Mutexes.

use commute::sync::{Arc, Mutex};
use commute::thread;

use crate::seen::{outcomes, seen};

#[test]
fn two_sections_come_in_two_orders() {
    let count = outcomes(|| {
        let total = Arc::new(Mutex::new(0));
        let other = Arc::clone(&total);
        let thread = thread::spawn(move || *other.lock().unwrap() += 1);
        *total.lock().unwrap() += 2;
        thread.join().unwrap();
        assert_eq!(*total.lock().unwrap(), 3);
    });
    assert_eq!(count, 2);
}

#[test]
fn sections_that_only_look_come_in_one() {
    let count = outcomes(|| {
        let total = Arc::new(Mutex::new(7));
        let other = Arc::clone(&total);
        let thread = thread::spawn(move || assert_eq!(*other.lock().unwrap(), 7));
        assert_eq!(*total.lock().unwrap(), 7);
        thread.join().unwrap();
    });
    assert_eq!(count, 1);
}

#[test]
fn what_has_interior_mutability_counts_as_changed() {
    let count = outcomes(|| {
        let total = Arc::new(Mutex::new(std::cell::Cell::new(0)));
        let other = Arc::clone(&total);
        let thread = thread::spawn(move || other.lock().unwrap().set(1));
        total.lock().unwrap().get();
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
}

#[test]
fn locks_taken_in_two_orders_deadlock() {
    let seen = seen(|| {
        let a = Arc::new(Mutex::new(0));
        let b = Arc::new(Mutex::new(0));
        let (c, d) = (Arc::clone(&a), Arc::clone(&b));
        let thread = thread::spawn(move || {
            let _d = d.lock().unwrap();
            let _c = c.lock().unwrap();
        });
        {
            let _a = a.lock().unwrap();
            let _b = b.lock().unwrap();
        }
        thread.join().unwrap();
    });
    assert_eq!(seen.because, None);
    assert_eq!((seen.outcomes, seen.deadlocks), (2, 1));
    assert_eq!(seen.leaks, 0);
}

#[test]
fn a_panic_poisons() {
    let count = outcomes(|| {
        let total = Arc::new(Mutex::new(0));
        let other = Arc::clone(&total);
        let thread = thread::spawn(move || {
            let mut guard = other.lock().unwrap();
            *guard = 1;
            panic!("on purpose");
        });
        assert!(thread.join().is_err());
        assert!(total.is_poisoned());
        assert_eq!(*total.lock().unwrap_err().into_inner(), 1);
        total.clear_poison();
        assert!(total.lock().is_ok());
    });
    assert_eq!(count, 1);
}

#[test]
fn try_lock_fails_where_somebody_else_has_it() {
    let count = outcomes(|| {
        let total = Arc::new(Mutex::new(0));
        let other = Arc::clone(&total);
        let thread = thread::spawn(move || *other.lock().unwrap() = 1);
        let found = total.try_lock().map(|guard| *guard).ok();
        assert!([None, Some(0), Some(1)].contains(&found));
        thread.join().unwrap();
    });
    assert_eq!(count, 3);
}

#[test]
fn what_is_alone_is_changed_without_a_step() {
    let count = outcomes(|| {
        let mut total = Mutex::new(0);
        *total.lock().unwrap() += 1;
        *total.get_mut().unwrap() += 1;
        assert_eq!(*total.lock().unwrap(), 2);
        assert_eq!(total.into_inner().unwrap(), 2);
    });
    assert_eq!(count, 1);
}
