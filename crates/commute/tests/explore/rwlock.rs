//! Reader-writer locks.

use commute::sync::{Arc, RwLock, RwLockWriteGuard};
use commute::thread;

use crate::seen::{outcomes, seen};

#[test]
fn readers_do_not_wait_for_each_other() {
    let count = outcomes(|| {
        let lock = Arc::new(RwLock::new(7));
        let other = Arc::clone(&lock);
        let first = lock.read().unwrap();
        let thread = thread::spawn(move || *other.read().unwrap());
        assert_eq!(thread.join().unwrap(), *first);
    });
    assert_eq!(count, 1);
}

#[test]
fn a_writer_comes_before_or_after_a_reader() {
    let count = outcomes(|| {
        let lock = Arc::new(RwLock::new(0));
        let other = Arc::clone(&lock);
        let thread = thread::spawn(move || *other.write().unwrap() = 1);
        let found = *lock.read().unwrap();
        assert!(found <= 1);
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
}

#[test]
fn a_writer_waits_for_readers() {
    let seen = seen(|| {
        let lock = RwLock::new(0);
        let _reader = lock.read().unwrap();
        assert!(lock.try_write().is_err());
        assert!(lock.try_read().is_ok());
        let _writer = lock.write();
    });
    assert_eq!((seen.deadlocks, seen.leaks), (1, 0));
}

#[test]
fn nobody_writes_while_a_writer_becomes_a_reader() {
    let count = outcomes(|| {
        let lock = Arc::new(RwLock::new(0));
        let other = Arc::clone(&lock);
        let thread = thread::spawn(move || *other.write().unwrap() += 1);
        let mut writer = lock.write().unwrap();
        *writer = 5;
        let reader = RwLockWriteGuard::downgrade(writer);
        assert_eq!(*reader, 5);
        drop(reader);
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
}

#[test]
fn a_panic_of_a_writer_poisons_and_one_of_a_reader_does_not() {
    let count = outcomes(|| {
        let lock = Arc::new(RwLock::new(0));
        for (writes, poisons) in [(false, false), (true, true)] {
            let other = Arc::clone(&lock);
            let thread = thread::spawn(move || match writes {
                true => {
                    let _guard = other.write().unwrap();
                    panic!("on purpose");
                }
                false => {
                    let _guard = other.read().unwrap();
                    panic!("on purpose");
                }
            });
            assert!(thread.join().is_err());
            assert_eq!(lock.is_poisoned(), poisons);
            assert_eq!(lock.read().is_err(), poisons);
        }
    });
    assert_eq!(count, 1);
}

/// What may happen then is not explored, but said.
#[test]
fn who_reads_twice_is_told_of_writers() {
    let remarks = |twice: bool| {
        let seen = seen(move || {
            let lock = RwLock::new(0);
            let first = lock.read().unwrap();
            if !twice {
                drop(first);
            }
            drop(lock.read().unwrap());
        });
        seen.remarks.len()
    };
    assert_eq!(remarks(true), 1);
    assert_eq!(remarks(false), 0);
}
