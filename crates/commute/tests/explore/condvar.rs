//! Condition variables.

use std::time::Duration;

use commute::sync::{Arc, Condvar, Mutex};
use commute::thread;

use crate::seen::{outcomes, seen};

#[test]
fn a_notification_under_the_lock_is_not_missed() {
    let count = outcomes(|| {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let other = Arc::clone(&pair);
        let thread = thread::spawn(move || {
            *other.0.lock().unwrap() = true;
            other.1.notify_one();
        });
        let mut ready = pair.0.lock().unwrap();
        while !*ready {
            ready = pair.1.wait(ready).unwrap();
        }
        drop(ready);
        thread.join().unwrap();
    });
    // Ready at once, or after a wait.
    assert_eq!(count, 2);
}

#[test]
fn a_notification_that_comes_before_the_wait_is_missed() {
    let seen = seen(|| {
        let pair = Arc::new((Mutex::new(()), Condvar::new()));
        let other = Arc::clone(&pair);
        let thread = thread::spawn(move || other.1.notify_one());
        let guard = pair.0.lock().unwrap();
        drop(pair.1.wait(guard).unwrap());
        thread.join().unwrap();
    });
    assert_eq!(seen.because, None);
    assert_eq!((seen.outcomes, seen.deadlocks), (2, 1));
}

#[test]
fn a_wait_with_a_time_may_end_with_it() {
    let count = outcomes(|| {
        let pair = Arc::new((Mutex::new(()), Condvar::new()));
        let other = Arc::clone(&pair);
        let thread = thread::spawn(move || other.1.notify_one());
        let guard = pair.0.lock().unwrap();
        let (guard, result) = pair.1.wait_timeout(guard, Duration::from_secs(9)).unwrap();
        let _ = result.timed_out();
        drop(guard);
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
}

#[test]
fn a_condition_is_looked_at_once_more_when_the_time_is_over() {
    let count = outcomes(|| {
        let pair = Arc::new((Mutex::new(0), Condvar::new()));
        let other = Arc::clone(&pair);
        let thread = thread::spawn(move || *other.0.lock().unwrap() = 1);
        let guard = pair.0.lock().unwrap();
        let condition = |n: &mut i32| *n == 0;
        let time = Duration::from_secs(9);
        let waited = pair.1.wait_timeout_while(guard, time, condition);
        let (guard, result) = waited.unwrap();
        assert_eq!(result.timed_out(), *guard == 0);
        drop(guard);
        thread.join().unwrap();
    });
    // It is 1 at once; or when the time is over; or never.
    assert_eq!(count, 3);
}

#[test]
fn notify_all_wakes_all() {
    let count = outcomes(|| {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let pair = Arc::clone(&pair);
                thread::spawn(move || {
                    let guard = pair.0.lock().unwrap();
                    drop(pair.1.wait_while(guard, |ready| !*ready).unwrap());
                })
            })
            .collect();
        *pair.0.lock().unwrap() = true;
        pair.1.notify_all();
        for thread in threads {
            thread.join().unwrap();
        }
    });
    assert!(count >= 4, "{count}");
}
