//! The types of `parking_lot`.

use std::time::Duration;

use commute::parking_lot::{
    Condvar, Mutex, Once, ReentrantMutex, RwLock, RwLockUpgradableReadGuard, RwLockWriteGuard,
};
use commute::sync::Arc;
use commute::thread;

use crate::seen::{outcomes, seen};

#[test]
fn sections_come_in_two_orders() {
    let count = outcomes(|| {
        let total = Arc::new(Mutex::new(0));
        let other = Arc::clone(&total);
        let thread = thread::spawn(move || *other.lock() += 1);
        *total.lock() += 1;
        thread.join().unwrap();
        assert_eq!(*total.lock(), 2);
    });
    assert_eq!(count, 2);
}

#[test]
fn an_attempt_fails_where_somebody_else_has_it() {
    let count = outcomes(|| {
        let total = Arc::new(Mutex::new(0));
        let other = Arc::clone(&total);
        let thread = thread::spawn(move || *other.lock() = 1);
        let found = total
            .try_lock_for(Duration::from_secs(9))
            .map(|guard| *guard);
        assert!([None, Some(0), Some(1)].contains(&found));
        thread.join().unwrap();
        assert!(!total.is_locked());
    });
    assert_eq!(count, 3);
}

#[test]
fn one_upgrades_and_nobody_writes_in_between() {
    let count = outcomes(|| {
        let lock = Arc::new(RwLock::new(0));
        let other = Arc::clone(&lock);
        let thread = thread::spawn(move || *other.write() += 1);
        let reader = lock.upgradable_read();
        let found = *reader;
        let mut writer = RwLockUpgradableReadGuard::upgrade(reader);
        assert_eq!(*writer, found);
        *writer += 1;
        let reader = RwLockWriteGuard::downgrade(writer);
        assert_eq!(*reader, found + 1);
        drop(reader);
        thread.join().unwrap();
        assert_eq!(*lock.read(), 2);
    });
    assert_eq!(count, 2);
}

#[test]
fn two_who_may_upgrade_wait_for_each_other() {
    let seen = seen(|| {
        let lock = RwLock::new(0);
        let _first = lock.upgradable_read();
        assert!(lock.try_read().is_some());
        assert!(lock.try_upgradable_read().is_none());
        let _second = lock.upgradable_read();
    });
    assert_eq!((seen.deadlocks, seen.leaks), (1, 0));
}

#[test]
fn a_thread_takes_its_mutex_again_and_others_do_not() {
    let count = outcomes(|| {
        let lock = Arc::new(ReentrantMutex::new(7));
        let other = Arc::clone(&lock);
        let outer = lock.lock();
        let thread = thread::spawn(move || other.try_lock().is_none());
        let inner = lock.lock();
        assert_eq!(*inner, *outer);
        assert!(thread.join().unwrap());
    });
    assert_eq!(count, 1);
}

#[test]
fn a_wait_ends_with_a_notification() {
    let count = outcomes(|| {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let other = Arc::clone(&pair);
        let thread = thread::spawn(move || {
            *other.0.lock() = true;
            other.1.notify_one()
        });
        let mut ready = pair.0.lock();
        pair.1.wait_while(&mut ready, |ready| !*ready);
        drop(ready);
        thread.join().unwrap();
    });
    // Ready at once, or after a wait. The other one learns which.
    assert_eq!(count, 2);
}

#[test]
fn something_is_done_once() {
    let count = outcomes(|| {
        let once = Arc::new(Once::new());
        let calls = Arc::new(Mutex::new(0));
        let (other, counted) = (Arc::clone(&once), Arc::clone(&calls));
        let thread = thread::spawn(move || other.call_once(|| *counted.lock() += 1));
        once.call_once(|| *calls.lock() += 1);
        thread.join().unwrap();
        assert_eq!(*calls.lock(), 1);
        assert!(once.state().done());
    });
    assert_eq!(count, 2);
}
