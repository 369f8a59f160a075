//! Condition variables.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::time::{Duration, Instant};

use super::sync::{Arc, Condvar, Mutex, WaitTimeoutResult};
use super::thread;

static READY: Condvar = Condvar::new();
static IS_READY: Mutex<bool> = Mutex::new(false);

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(5);

#[test]
fn a_notification_ends_a_wait() {
    let waiter = thread::spawn(|| {
        let mut ready = IS_READY.lock().unwrap();
        while !*ready {
            ready = READY.wait(ready).unwrap();
        }
        *ready
    });
    thread::sleep(SHORT);
    *IS_READY.lock().unwrap() = true;
    READY.notify_one();
    assert!(waiter.join().unwrap());
}

/// A queue with room for one, and the threads that fill and empty it.
#[test]
fn ping_pong() {
    struct Queue {
        slot: Mutex<Option<u32>>,
        filled: Condvar,
        emptied: Condvar,
    }
    let queue = Queue {
        slot: Mutex::new(None),
        filled: Condvar::new(),
        emptied: Condvar::default(),
    };
    let taken = thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for i in 0..200 {
                    let slot = queue.slot.lock().unwrap();
                    let mut slot = queue.emptied.wait_while(slot, |s| s.is_some()).unwrap();
                    *slot = Some(i);
                    drop(slot);
                    queue.filled.notify_one();
                }
            });
        }
        let taker = scope.spawn(|| {
            let mut sum = 0;
            for _ in 0..400 {
                let slot = queue.slot.lock().unwrap();
                let mut slot = queue.filled.wait_while(slot, |s| s.is_none()).unwrap();
                sum += slot.take().unwrap();
                queue.emptied.notify_one();
            }
            sum
        });
        taker.join().unwrap()
    });
    assert_eq!(taken, 2 * (0..200).sum::<u32>());
}

#[test]
fn all_are_notified() {
    let pair = Arc::new((Mutex::new(0), Condvar::new()));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let pair = Arc::clone(&pair);
            thread::spawn(move || {
                let mut arrived = pair.0.lock().unwrap();
                *arrived += 1;
                pair.1.notify_all();
                while *arrived < 4 {
                    arrived = pair.1.wait(arrived).unwrap();
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(*pair.0.lock().unwrap(), 4);
}

#[test]
fn a_notification_is_not_remembered() {
    let (mutex, condvar) = (Mutex::new(()), Condvar::new());
    condvar.notify_one();
    condvar.notify_all();
    let guard = mutex.lock().unwrap();
    let start = Instant::now();
    let mut guard = Some(guard);
    // A wait may end by itself, which std allows and we do not do.
    let timed_out = loop {
        let (again, result) = condvar.wait_timeout(guard.take().unwrap(), SHORT).unwrap();
        guard = Some(again);
        if result.timed_out() {
            break start.elapsed();
        }
    };
    assert!(timed_out >= SHORT);
}

#[test]
fn times() {
    let (mutex, condvar) = (Mutex::new(false), Condvar::new());
    let guard = mutex.lock().unwrap();
    let (guard, result): (_, WaitTimeoutResult) = condvar
        .wait_timeout_while(guard, SHORT, |ready| !*ready)
        .unwrap();
    assert!(result.timed_out());
    let (guard, result) = condvar
        .wait_timeout_while(guard, LONG, |ready| *ready)
        .unwrap();
    assert!(!result.timed_out());
    let copy = result;
    assert_eq!(format!("{copy:?}"), "WaitTimeoutResult(false)");
    assert_eq!(copy, result);
    #[expect(deprecated, reason = "still there")]
    let (guard, in_time) = condvar.wait_timeout_ms(guard, 1).unwrap();
    drop((guard, in_time));
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(SHORT);
            *mutex.lock().unwrap() = true;
            condvar.notify_all();
        });
        let start = Instant::now();
        let mut ready = mutex.lock().unwrap();
        while !*ready {
            let waited = condvar.wait_timeout(ready, Duration::MAX).unwrap();
            assert!(!waited.1.timed_out());
            ready = waited.0;
        }
        assert!(start.elapsed() < LONG);
    });
}

/// Many waits whose time is over just when they are notified.
#[test]
fn times_that_are_over() {
    let (waiting, condvar) = (Mutex::new(true), Condvar::new());
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut guard = waiting.lock().unwrap();
                while *guard {
                    let time = Duration::from_micros(50);
                    guard = condvar.wait_timeout(guard, time).unwrap().0;
                }
            });
        }
        for _ in 0..200 {
            condvar.notify_one();
            thread::sleep(Duration::from_micros(50));
        }
        *waiting.lock().unwrap() = false;
    });
}

#[test]
fn a_poisoned_mutex_is_found_after_the_wait() {
    let pair = Arc::new((Mutex::new(0), Condvar::new()));
    let inside = Arc::clone(&pair);
    let waiter = thread::spawn(move || {
        let guard = inside.0.lock().unwrap();
        inside.1.wait_while(guard, |n| *n == 0).is_err()
    });
    thread::sleep(SHORT);
    let inside = Arc::clone(&pair);
    let panicked = thread::spawn(move || {
        let mut guard = inside.0.lock().unwrap();
        *guard = 1;
        inside.1.notify_one();
        panic!("on purpose");
    });
    assert!(panicked.join().is_err());
    // It may also have found the value without waiting, and the poison with it.
    let poisoned = waiter.join();
    assert!(poisoned.is_err() || poisoned.is_ok_and(|poisoned| poisoned));
}

#[test]
fn a_condition_that_panics_leaves_everything_usable() {
    let (mutex, condvar) = (Mutex::new(0), Condvar::new());
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let guard = mutex.lock().unwrap();
        let _guard = condvar.wait_while(guard, |_| panic!("on purpose"));
    }));
    assert!(panicked.is_err());
    mutex.clear_poison();
    let guard = mutex.lock().unwrap();
    drop(condvar.wait_timeout(guard, SHORT).unwrap());
    condvar.notify_all();
}

#[test]
fn traits() {
    fn has<T: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default>() {}
    has::<Condvar>();
    assert_eq!(format!("{:?}", Condvar::new()), "Condvar { .. }");
}
