//! Threads.

use std::rc::Rc;

use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Arc, Mutex};
use commute::thread;

use crate::seen::{outcomes, seen};

#[test]
fn a_thread_returns_what_it_returns() {
    let count = outcomes(|| {
        let text = thread::spawn(|| "seven".to_owned());
        let list = thread::spawn(|| vec![7]);
        assert_eq!(text.join().unwrap(), "seven");
        assert_eq!(list.join().unwrap(), [7]);
    });
    assert_eq!(count, 1);
}

#[test]
fn a_panic_that_nobody_joins_is_a_failure() {
    let seen = seen(|| drop(thread::spawn(|| panic!("nobody listens"))));
    assert_eq!(seen.because, None);
    assert_eq!(seen.failures["nobody listens"], 1);
}

#[test]
fn a_panic_that_is_unwrapped_is_what_the_failure_is_about() {
    let seen = seen(|| {
        let thread = thread::spawn(|| thread::spawn(|| panic!("the cause")).join().unwrap());
        thread.join().unwrap();
    });
    assert_eq!(seen.because, None);
    assert_eq!(seen.failures["the cause"], 1);
    assert_eq!(seen.failures.len(), 1);
}

#[test]
fn a_panic_that_was_expected_is_not_what_another_is_about() {
    let seen = seen(|| {
        assert!(thread::spawn(|| panic!("expected")).join().is_err());
        panic!("another");
    });
    assert_eq!(seen.failures.len(), 1);
    assert_eq!(seen.failures["another"], 1);
}

#[test]
fn a_payload_comes_back() {
    let count = outcomes(|| {
        let thread = thread::spawn(|| std::panic::panic_any(7));
        let payload = thread.join().unwrap_err();
        assert_eq!(payload.downcast_ref(), Some(&7));
    });
    assert_eq!(count, 1);
}

#[test]
fn threads_have_names_and_identities() {
    let count = outcomes(|| {
        let main = thread::current();
        assert_eq!(main.name(), Some("main"));
        let builder = thread::Builder::new().name("worker".to_owned());
        let thread = builder.spawn(|| thread::current().id()).unwrap();
        assert_eq!(thread.thread().name(), Some("worker"));
        let id = thread.thread().id();
        assert_ne!(id, main.id());
        assert_eq!(thread.join().unwrap(), id);
        assert_eq!(thread::current().id(), main.id());
    });
    assert_eq!(count, 1);
}

#[test]
fn whether_a_thread_has_ended_can_be_seen() {
    let count = outcomes(|| {
        let thread = thread::spawn(|| {});
        thread.is_finished();
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
}

#[test]
fn park_waits_for_unpark() {
    let count = outcomes(|| {
        let main = thread::current();
        let ready = Arc::new(AtomicU32::new(0));
        let other = Arc::clone(&ready);
        let thread = thread::spawn(move || {
            other.store(1, SeqCst);
            main.unpark();
        });
        thread::park();
        assert_eq!(ready.load(SeqCst), 1);
        thread.join().unwrap();
    });
    assert_eq!(count, 1);
}

#[test]
fn a_park_that_nobody_ends_is_a_deadlock() {
    let seen = seen(|| thread::park());
    assert_eq!((seen.outcomes, seen.deadlocks), (1, 1));
}

#[test]
fn what_a_stopped_thread_has_is_dropped() {
    thread_local! {
        static ALIVE: Rc<()> = Rc::new(());
    }
    let before = ALIVE.with(Rc::strong_count);
    let seen = seen(|| {
        let alive = ALIVE.with(Rc::clone);
        let lock = Arc::new(Mutex::new(()));
        let other = Arc::clone(&lock);
        let guard = lock.lock().unwrap();
        let thread = thread::spawn(move || {
            struct Counts(Arc<Mutex<()>>);
            impl Drop for Counts {
                fn drop(&mut self) {
                    // Not a step, because nobody goes on.
                    drop(self.0.try_lock());
                }
            }
            let counts = Counts(other);
            let _guard = counts.0.lock().unwrap();
        });
        // It waits for us, and we for it.
        thread.join().unwrap();
        drop((alive, guard));
    });
    assert_eq!((seen.deadlocks, seen.leaks), (1, 0));
    assert_eq!(ALIVE.with(Rc::strong_count), before);
}

#[test]
fn whoever_catches_the_end_of_a_stopped_thread_does_not_go_on() {
    let seen = seen(|| {
        loop {
            let caught = std::panic::catch_unwind(thread::park);
            assert!(caught.is_err());
        }
    });
    assert_eq!((seen.deadlocks, seen.leaks), (1, 1));
}

#[test]
fn a_destructor_that_would_wait_is_left_behind() {
    let seen = seen(|| {
        struct Waits;
        impl Drop for Waits {
            fn drop(&mut self) {
                thread::spawn(|| {}).join().unwrap();
            }
        }
        let _waits = Waits;
        thread::park();
    });
    assert_eq!((seen.deadlocks, seen.leaks), (1, 1));
}
