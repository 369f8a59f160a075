//! Locks of readers and writers.

use std::fmt::{Debug, Display};
use std::panic::{RefUnwindSafe, UnwindSafe};

use super::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};
use super::thread;

static GLOBAL: RwLock<u32> = RwLock::new(7);

#[test]
fn writers_exclude_everybody() {
    let pair = RwLock::new((0u32, 0u32));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..500 {
                    let mut pair = pair.write().unwrap();
                    pair.0 += 1;
                    pair.1 += 1;
                }
            });
            scope.spawn(|| {
                for _ in 0..1000 {
                    let pair = pair.read().unwrap();
                    assert_eq!(pair.0, pair.1);
                }
            });
        }
    });
    assert_eq!(*pair.read().unwrap(), (1000, 1000));
}

#[test]
fn readers_are_together() {
    let lock = Arc::new(RwLock::new(1));
    let first = lock.read().unwrap();
    let inside = Arc::clone(&lock);
    let second = thread::spawn(move || *inside.read().unwrap());
    assert_eq!(second.join().unwrap(), 1);
    let third = lock.try_read().unwrap();
    assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
    drop((first, third));
    *lock.try_write().unwrap() = 2;
    let writing = lock.write().unwrap();
    assert!(matches!(lock.try_read(), Err(TryLockError::WouldBlock)));
    assert_eq!(
        format!("{lock:?}"),
        "RwLock { data: <locked>, poisoned: false, .. }"
    );
    drop(writing);
    assert_eq!(
        format!("{lock:?}"),
        "RwLock { data: 2, poisoned: false, .. }"
    );
}

#[test]
fn a_writer_becomes_a_reader() {
    let lock = RwLock::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let mut writing = lock.write().unwrap();
                    *writing += 1;
                    let written = *writing;
                    let reading = RwLockWriteGuard::downgrade(writing);
                    assert_eq!(*reading, written);
                    assert!(lock.try_write().is_err());
                }
            });
        }
    });
    assert_eq!(*lock.read().unwrap(), 400);
}

#[test]
fn only_writers_poison() {
    let lock = Arc::new(RwLock::new(1));
    let inside = Arc::clone(&lock);
    let reader = thread::spawn(move || {
        let _guard = inside.read().unwrap();
        panic!("on purpose");
    });
    assert!(reader.join().is_err());
    assert!(!lock.is_poisoned());
    let inside = Arc::clone(&lock);
    let writer = thread::spawn(move || {
        let _guard = inside.write().unwrap();
        panic!("on purpose");
    });
    assert!(writer.join().is_err());
    assert!(lock.is_poisoned());
    assert_eq!(*lock.read().unwrap_err().into_inner(), 1);
    assert!(matches!(lock.try_read(), Err(TryLockError::Poisoned(_))));
    assert!(matches!(lock.try_write(), Err(TryLockError::Poisoned(_))));
    assert_eq!(
        format!("{lock:?}"),
        "RwLock { data: 1, poisoned: true, .. }"
    );
    *lock.write().unwrap_err().into_inner() = 2;
    lock.clear_poison();
    assert_eq!(*lock.write().unwrap(), 2);
}

#[test]
fn traits() {
    fn has<T: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<u8>>() {}
    has::<RwLock<u8>>();
    fn guard<T: Debug + Display + Sync>(_: &T) {}
    let mut lock = RwLock::from(5u8);
    {
        let reading: RwLockReadGuard<'_, u8> = lock.read().unwrap();
        guard(&reading);
        assert_eq!(format!("{reading:?} {reading}"), "5 5");
    }
    {
        let mut writing: RwLockWriteGuard<'_, u8> = lock.write().unwrap();
        guard(&writing);
        *writing += 1;
        assert_eq!(format!("{writing:?} {writing}"), "6 6");
    }
    *lock.get_mut().unwrap() += 1;
    assert_eq!(lock.into_inner().unwrap(), 7);
    assert_eq!(RwLock::<u8>::default().into_inner().unwrap(), 0);
    *GLOBAL.write().unwrap() += 1;
    assert_eq!(*GLOBAL.read().unwrap(), 8);
    let unsized_value: Arc<RwLock<dyn Debug + Send + Sync>> = Arc::new(RwLock::new(1));
    assert_eq!(format!("{:?}", &*unsized_value.read().unwrap()), "1");
}
