//! Statics, and what else may be carried over from run to run.

use std::rc::Rc;

use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Arc, Condvar, LazyLock, Mutex, OnceLock, RwLock};
use commute::thread;

use crate::seen::{outcomes, seen};

#[test]
fn every_run_finds_statics_as_they_were() {
    static LIST: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    static NUMBER: AtomicU32 = AtomicU32::new(7);
    static TEXT: RwLock<String> = RwLock::new(String::new());
    static CELL: OnceLock<Vec<u32>> = OnceLock::new();
    static CHANGED: Condvar = Condvar::new();
    static LAZY: LazyLock<Mutex<Vec<u32>>> = LazyLock::new(|| Mutex::new(vec![1]));
    let count = outcomes(|| {
        assert_eq!(NUMBER.load(SeqCst), 7);
        let thread = thread::spawn(|| {
            LIST.lock().unwrap().push(NUMBER.fetch_add(1, SeqCst));
            CHANGED.notify_all();
        });
        LIST.lock().unwrap().push(0);
        thread.join().unwrap();
        assert_eq!(LIST.lock().unwrap().len(), 2);
        assert!(TEXT.read().unwrap().is_empty());
        TEXT.write().unwrap().push('x');
        assert_eq!(CELL.get(), None);
        assert_eq!(CELL.get_or_init(|| vec![3]), &[3]);
        let mut lazy = LAZY.lock().unwrap();
        lazy.push(2);
        assert_eq!(*lazy, [1, 2]);
    });
    assert_eq!(count, 2);
}

#[test]
fn what_is_not_static_must_not_be_carried_over() {
    let outside = Arc::new(Mutex::new(0));
    let seen = seen(move || {
        let theirs = Arc::clone(&outside);
        let thread = thread::spawn(move || *theirs.lock().unwrap() += 1);
        *outside.lock().unwrap() += 1;
        thread.join().unwrap();
    });
    assert!(seen.because.unwrap().contains("carried over"));
}

#[test]
fn somebody_else_must_not_touch_what_is_explored() {
    let seen = seen(|| {
        let number = Arc::new(AtomicU32::new(0));
        number.load(SeqCst);
        let other = Arc::clone(&number);
        let thread = std::thread::Builder::new().name("stranger".to_owned());
        let thread = thread.spawn(move || other.fetch_add(1, SeqCst)).unwrap();
        thread.join().unwrap();
        number.load(SeqCst);
    });
    let because = seen.because.unwrap();
    assert!(because.contains("stranger"), "{because}");
}

#[test]
fn what_every_thread_has_is_its_own() {
    commute::thread_local! {
        static MINE: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
        static LAZY: Rc<String> = Rc::new("made".to_owned());
    }
    let count = outcomes(|| {
        MINE.set(1);
        let thread = thread::spawn(|| {
            assert_eq!(MINE.replace(2), 0);
            LAZY.with(|lazy| assert_eq!(Rc::strong_count(lazy), 1));
        });
        LAZY.with(|lazy| assert_eq!(**lazy, "made"));
        thread.join().unwrap();
        assert_eq!(MINE.get(), 1);
    });
    assert_eq!(count, 1);
}

#[test]
fn what_a_thread_has_ends_before_it_is_joined() {
    static ENDED: AtomicU32 = AtomicU32::new(0);
    struct Ends;
    impl Drop for Ends {
        fn drop(&mut self) {
            ENDED.fetch_add(1, SeqCst);
        }
    }
    commute::thread_local! {
        static ENDS: Ends = const { Ends };
    }
    let count = outcomes(|| {
        thread::spawn(|| ENDS.with(|_| ())).join().unwrap();
        assert_eq!(ENDED.load(SeqCst), 1);
    });
    assert_eq!(count, 1);
}
