//! Scoped threads.

use commute::sync::Mutex;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::thread;

use crate::seen::{outcomes, seen};

#[test]
fn a_scope_waits_for_its_threads() {
    let count = outcomes(|| {
        let total = AtomicU32::new(0);
        let text = "seven".to_owned();
        thread::scope(|scope| {
            let handle = scope.spawn(|| text.len());
            scope.spawn(|| total.store(2, SeqCst));
            assert_eq!(handle.join().unwrap(), 5);
        });
        assert_eq!(total.load(SeqCst), 2);
    });
    assert_eq!(count, 1);
}

#[test]
fn a_panic_in_a_scope_is_one_of_the_scope() {
    let seen = seen(|| {
        thread::scope(|scope| {
            scope.spawn(|| panic!("on purpose"));
        });
    });
    assert_eq!(seen.failures.len(), 1);
    assert!(seen.failures.contains_key("on purpose"));
}

#[test]
fn what_a_stopped_scope_lent_is_not_gone_too_early() {
    let seen = seen(|| {
        let lock = Mutex::new(vec![1]);
        thread::scope(|scope| {
            let guard = lock.lock().unwrap();
            scope.spawn(|| {
                struct Looks<'a>(&'a Mutex<Vec<i32>>);
                impl Drop for Looks<'_> {
                    fn drop(&mut self) {
                        assert!(self.0.try_lock().is_err());
                    }
                }
                let looks = Looks(&lock);
                looks.0.lock().unwrap().push(2);
            });
            thread::park();
            drop(guard);
        });
    });
    assert_eq!((seen.deadlocks, seen.leaks), (1, 0));
}
