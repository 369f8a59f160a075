//! What people do with locks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use super::library::{
    Condvar, FairMutex, FairMutexGuard, MappedMutexGuard, MappedRwLockReadGuard, Mutex, MutexGuard,
    Once, OnceState, ReentrantMutex, RwLock, RwLockReadGuard, RwLockUpgradableReadGuard,
    RwLockWriteGuard, WaitTimeoutResult, const_fair_mutex, const_mutex, const_reentrant_mutex,
    const_rwlock,
};

static GLOBAL: Mutex<u32> = Mutex::new(7);
static CONST: Mutex<&str> = const_mutex("const");
static FAIR: FairMutex<u32> = const_fair_mutex(1);
static REENTRANT: ReentrantMutex<u32> = const_reentrant_mutex(2);
static RWLOCK: RwLock<Vec<u32>> = const_rwlock(Vec::new());
static ONCE: Once = Once::new();
static CONDVAR: Condvar = Condvar::new();

pub(crate) fn main() {
    mutexes();
    mapped_guards();
    reentrant_mutexes();
    rwlocks();
    upgrades();
    condvars();
    waiting_in_vain();
    once();
    #[cfg(feature = "parking_lot-arc_lock")]
    guards_of_arcs();
    #[cfg(feature = "parking_lot-send_guard")]
    guards_that_are_sent();
    stress();
}

fn mutexes() {
    *GLOBAL.lock() += 1;
    assert!(*GLOBAL.lock() > 7);
    assert_eq!(*CONST.try_lock().unwrap(), "const");
    let mut guard = FAIR.lock();
    *guard += 1;
    FairMutexGuard::bump(&mut guard);
    FairMutexGuard::unlock_fair(guard);
    let mutex: Arc<Mutex<dyn Fn() -> u32 + Send>> = Arc::new(Mutex::new(|| 3));
    assert_eq!(mutex.lock()(), 3);
    let mut mutex = Mutex::from(String::from("a"));
    assert_eq!(format!("{mutex:?}"), "Mutex { data: \"a\" }");
    let mut guard: MutexGuard<'_, String> = mutex.lock();
    assert!(mutex.is_locked());
    assert!(mutex.try_lock().is_none());
    assert!(mutex.try_lock_for(Duration::from_millis(1)).is_none());
    assert!(mutex.try_lock_until(Instant::now()).is_none());
    assert_eq!(format!("{mutex:?}"), "Mutex { data: <locked> }");
    MutexGuard::unlocked(&mut guard, || mutex.lock().push('b'));
    assert_eq!(guard.as_str(), "ab");
    assert_eq!(format!("{guard:?} {guard}"), "\"ab\" ab");
    drop(guard);
    mutex.get_mut().push('c');
    assert_eq!(mutex.into_inner(), "abc");
    assert_eq!(*Mutex::<u8>::default().lock(), 0);
    let locks = [Mutex::new(1), Mutex::new(2)];
    assert_eq!(locks.iter().map(Mutex::lock).map(|n| *n).sum::<i32>(), 3);
}

fn mapped_guards() {
    let pair = Mutex::new((1, 2));
    let mut second: MappedMutexGuard<'_, i32> = MutexGuard::map(pair.lock(), |pair| &mut pair.1);
    *second += 1;
    drop(second);
    let whole = MutexGuard::try_map(pair.lock(), |_| None::<&mut i32>);
    assert_eq!(*whole.err().unwrap(), (1, 3));
    let lock = RwLock::new((1, 2));
    let first: MappedRwLockReadGuard<'_, i32> = RwLockReadGuard::map(lock.read(), |pair| &pair.0);
    assert_eq!(*first, 1);
    drop(first);
    *RwLockWriteGuard::map(lock.write(), |pair| &mut pair.0) = 5;
    assert_eq!(*lock.read(), (5, 2));
}

fn reentrant_mutexes() {
    let outer = REENTRANT.lock();
    let inner = REENTRANT.lock();
    assert!(REENTRANT.is_owned_by_current_thread());
    assert_eq!(*outer + *inner, 4);
    drop(outer);
    thread::scope(|scope| {
        scope.spawn(|| assert!(REENTRANT.try_lock().is_none()));
    });
    drop(inner);
    assert!(!REENTRANT.is_locked());
}

fn rwlocks() {
    RWLOCK.write().push(1);
    let one = RWLOCK.read();
    let two = RWLOCK.read_recursive();
    assert_eq!(one.len(), two.len());
    assert!(RWLOCK.try_write().is_none());
    assert!(RWLOCK.try_write_for(Duration::from_millis(1)).is_none());
    assert!(RWLOCK.is_locked() && !RWLOCK.is_locked_exclusive());
    drop((one, two));
    let mut lock = RwLock::new(5);
    let written = lock.write();
    assert_eq!(format!("{lock:?}"), "RwLock { data: <locked> }");
    let read = RwLockWriteGuard::downgrade(written);
    assert_eq!((*read, *lock.read()), (5, 5));
    drop(read);
    *lock.get_mut() += 1;
    assert_eq!(lock.into_inner(), 6);
    assert_eq!(*RwLock::<u8>::default().read(), 0);
}

fn upgrades() {
    let lock = RwLock::new(1);
    let upgradable: RwLockUpgradableReadGuard<'_, i32> = lock.upgradable_read();
    assert_eq!(*upgradable + *lock.read(), 2);
    assert!(lock.try_upgradable_read().is_none());
    let mut written = RwLockUpgradableReadGuard::upgrade(upgradable);
    *written += 1;
    let mut upgradable = RwLockWriteGuard::downgrade_to_upgradable(written);
    upgradable.with_upgraded(|n| *n += 1);
    let read = lock.read();
    let upgradable = RwLockUpgradableReadGuard::try_upgrade(upgradable).unwrap_err();
    drop(read);
    let read = RwLockUpgradableReadGuard::downgrade(upgradable);
    assert_eq!(*read, 3);
    drop(lock.upgradable_read());
}

fn condvars() {
    let turn = Mutex::new(0);
    thread::scope(|scope| {
        for me in 0..2 {
            let turn = &turn;
            scope.spawn(move || {
                let mut now = turn.lock();
                for _ in 0..50 {
                    CONDVAR.wait_while(&mut now, |now| *now % 2 != me);
                    *now += 1;
                    CONDVAR.notify_one();
                }
            });
        }
    });
    assert_eq!(*turn.lock(), 100);
    let (ready, begun, condvar) = (Mutex::new(false), AtomicU32::new(0), Condvar::default());
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut ready = ready.lock();
                begun.fetch_add(1, SeqCst);
                while !*ready {
                    condvar.wait(&mut ready);
                }
            });
        }
        while begun.load(SeqCst) < 3 {
            thread::yield_now();
        }
        *ready.lock() = true;
        assert_eq!(condvar.notify_all(), 3);
    });
    assert!(!condvar.notify_one());
}

fn waiting_in_vain() {
    let (mutex, condvar) = (Mutex::new(1), Condvar::new());
    let mut guard = mutex.lock();
    let result: WaitTimeoutResult = condvar.wait_for(&mut guard, Duration::from_millis(2));
    assert!(result.timed_out());
    assert!(condvar.wait_until(&mut guard, Instant::now()).timed_out());
    let over = condvar.wait_while_for(&mut guard, |n| *n == 1, Duration::from_millis(2));
    assert!(over.timed_out());
    assert_eq!(format!("{condvar:?}"), "Condvar { .. }");
    *guard = 2;
}

#[cfg(feature = "parking_lot-arc_lock")]
fn guards_of_arcs() {
    use super::library::{ArcMutexGuard, RawMutex};

    let mutex = Arc::new(Mutex::new(1));
    let guard: ArcMutexGuard<RawMutex, i32> = mutex.lock_arc();
    assert!(mutex.try_lock_arc().is_none() && mutex.is_locked());
    assert_eq!(*guard, 1);
    drop(guard);
    *mutex.try_lock_arc_for(Duration::from_millis(1)).unwrap() += 1;
    let unsized_: Arc<Mutex<[u8]>> = Arc::new(Mutex::new([1, 2]));
    assert_eq!(unsized_.lock_arc().len(), 2);
    *Arc::new(FairMutex::new(1)).lock_arc() += 1;
    let reentrant = Arc::new(ReentrantMutex::new(3));
    assert_eq!(
        *reentrant.lock_arc() + *reentrant.try_lock_arc().unwrap(),
        6
    );
    let lock = Arc::new(RwLock::new(1));
    let (one, other) = (lock.read_arc(), lock.try_read_arc().unwrap());
    assert_eq!((*one, *other), (1, 1));
    assert!(lock.try_write_arc().is_none());
    drop((one, other));
    *lock.write_arc() += 1;
    let upgradable = lock.upgradable_read_arc();
    assert_eq!(*upgradable, 2);
    drop(upgradable);
    assert_eq!(Arc::strong_count(&lock), 1);
}

/// A guard goes to another thread, and with it the duty to give the lock back.
#[cfg(feature = "parking_lot-send_guard")]
fn guards_that_are_sent() {
    let (mutex, lock) = (Mutex::new(1), RwLock::new(1));
    for _ in 0..2 {
        let guards = (mutex.lock(), lock.read());
        thread::scope(|scope| {
            scope.spawn(|| drop(guards));
        });
        let guard = lock.write();
        thread::scope(|scope| {
            scope.spawn(|| drop(guard));
        });
        let guard = lock.upgradable_read();
        thread::scope(|scope| {
            scope.spawn(|| drop(guard));
        });
        *mutex.lock() += 1;
        *lock.write() += 1;
    }
    let condvar = Condvar::new();
    assert!(
        condvar
            .wait_for(&mut mutex.lock(), Duration::from_millis(1))
            .timed_out()
    );
    assert_eq!((*mutex.lock(), *lock.read()), (3, 3));
}

fn once() {
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| ONCE.call_once(|| *GLOBAL.lock() += 10));
        }
    });
    assert_eq!(ONCE.state(), OnceState::Done);
    let once = Once::new();
    let panicked = thread::scope(|scope| {
        scope
            .spawn(|| once.call_once(|| std::panic::resume_unwind(Box::new(0))))
            .join()
    });
    assert!(panicked.is_err());
    once.call_once_force(|state| assert!(state.poisoned()));
    assert!(once.state().done());
}

fn stress() {
    let (sum, lock) = (Mutex::new((0, 0)), RwLock::new((0, 0)));
    let (outer, fair) = (
        ReentrantMutex::new(std::cell::Cell::new(0)),
        FairMutex::new(0),
    );
    thread::scope(|scope| {
        for thread in 0..4 {
            let (sum, lock, outer, fair) = (&sum, &lock, &outer, &fair);
            scope.spawn(move || {
                for round in 0..1000 {
                    let mut both = sum.lock();
                    both.0 += 1;
                    assert_eq!(both.0, both.1 + 1);
                    both.1 += 1;
                    drop(both);
                    *fair.lock() += 1;
                    let outer = (outer.lock(), outer.lock());
                    outer.0.set(outer.1.get() + 1);
                    drop(outer);
                    match (round + thread) % 4 {
                        0 => lock.write().0 += 1,
                        1 => assert!(lock.read().0 >= lock.read_recursive().1),
                        2 => {
                            let upgradable = lock.upgradable_read();
                            let before = *upgradable;
                            let mut written = RwLockUpgradableReadGuard::upgrade(upgradable);
                            assert_eq!(*written, before);
                            written.0 += 1;
                            let read = RwLockWriteGuard::downgrade(written);
                            assert_eq!(read.0, before.0 + 1);
                        }
                        _ => drop(lock.try_write().map(|mut both| both.1 = both.0)),
                    }
                }
            });
        }
    });
    assert_eq!(*sum.lock(), (4000, 4000));
    assert_eq!((outer.lock().get(), *fair.lock()), (4000, 4000));
    assert_eq!(lock.read().0, 2000);
}
