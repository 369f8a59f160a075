//! What is initialised once.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe, catch_unwind};
use std::time::Duration;

use super::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use super::sync::{Arc, LazyLock, Mutex, Once, OnceLock, OnceState};
use super::thread;

static START: Once = Once::new();
static CONFIG: OnceLock<String> = OnceLock::new();
static LIST: LazyLock<Mutex<Vec<u32>>> = LazyLock::new(|| Mutex::new(vec![1]));
static CALLS: AtomicUsize = AtomicUsize::new(0);
static LAZY: LazyLock<usize> = LazyLock::new(|| CALLS.fetch_add(1, SeqCst) + 7);

#[test]
fn once_is_called_once() {
    let calls = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                START.call_once(|| {
                    thread::sleep(Duration::from_millis(2));
                    calls.fetch_add(1, SeqCst);
                });
                assert_eq!(calls.load(SeqCst), 1);
                assert!(START.is_completed());
            });
        }
    });
    START.wait();
    START.wait_force();
    START.call_once_force(|_| unreachable!());
}

#[test]
fn a_once_is_poisoned_by_a_panic() {
    let once = Once::new();
    assert!(!once.is_completed());
    let panicked = catch_unwind(|| once.call_once(|| panic!("on purpose")));
    assert!(panicked.is_err());
    assert!(!once.is_completed());
    assert!(catch_unwind(|| once.call_once(|| ())).is_err());
    assert!(catch_unwind(|| once.wait()).is_err());
    once.call_once_force(|state: &OnceState| {
        assert!(state.is_poisoned());
        assert_eq!(format!("{state:?}"), "OnceState { poisoned: true }");
    });
    assert!(once.is_completed());
    once.call_once(|| unreachable!());
    assert_eq!(format!("{once:?}"), "Once { .. }");
}

#[test]
fn a_once_that_others_wait_for() {
    let once = Arc::new(Once::new());
    let inside = Arc::clone(&once);
    let waiting = thread::spawn(move || inside.wait());
    thread::sleep(Duration::from_millis(2));
    once.call_once(|| ());
    waiting.join().unwrap();
}

#[test]
fn cells_are_set_once() {
    assert_eq!(CONFIG.get(), None);
    assert_eq!(CONFIG.set("first".into()), Ok(()));
    assert_eq!(CONFIG.set("second".into()), Err("second".into()));
    assert_eq!(CONFIG.get().map(String::as_str), Some("first"));
    assert_eq!(CONFIG.get_or_init(|| unreachable!()), "first");
    assert_eq!(CONFIG.wait(), "first");
    let mut cell = OnceLock::from(1);
    *cell.get_mut().unwrap() += 1;
    assert_eq!(cell, OnceLock::from(2));
    assert_eq!(cell.clone(), cell);
    assert_ne!(cell, OnceLock::new());
    assert_eq!(
        format!("{cell:?} {:?}", OnceLock::<u8>::new()),
        "OnceLock(2) OnceLock(<uninit>)"
    );
    assert_eq!(cell.take(), Some(2));
    assert_eq!(cell.take(), None);
    assert_eq!(*cell.get_or_init(|| 3), 3);
    assert_eq!(cell.into_inner(), Some(3));
    assert_eq!(OnceLock::<u8>::default().into_inner(), None);
}

#[test]
fn one_of_many_initialises_a_cell() {
    for _ in 0..20 {
        let (cell, calls) = (OnceLock::new(), AtomicUsize::new(0));
        thread::scope(|scope| {
            scope.spawn(|| assert!(*cell.wait() < 4));
            for i in 0..4 {
                let (cell, calls) = (&cell, &calls);
                scope.spawn(move || {
                    let value = *cell.get_or_init(|| {
                        calls.fetch_add(1, SeqCst);
                        i
                    });
                    assert_eq!(cell.get(), Some(&value));
                    assert_eq!(cell.set(9), Err(9));
                });
            }
        });
        assert_eq!(calls.load(SeqCst), 1);
    }
}

#[test]
fn a_cell_survives_a_panic() {
    let cell = OnceLock::new();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        cell.get_or_init(|| panic!("on purpose"));
    }));
    assert!(panicked.is_err());
    assert_eq!(cell.get(), None);
    assert_eq!(*cell.get_or_init(|| 4), 4);
}

#[test]
fn lazy_values() {
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..100 {
                    assert_eq!(*LAZY, 7);
                }
                LIST.lock().unwrap().push(2);
            });
        }
    });
    assert_eq!(CALLS.load(SeqCst), 1);
    assert_eq!(LIST.lock().unwrap().len(), 9);
    assert_eq!(*LazyLock::force(&LAZY), 7);
    assert_eq!(LazyLock::get(&LAZY), Some(&7));
    let text = String::from("captured");
    let mut lazy = LazyLock::new(move || text + "!");
    assert_eq!(LazyLock::get(&lazy), None);
    assert_eq!(LazyLock::get_mut(&mut lazy), None);
    assert_eq!(format!("{lazy:?}"), "LazyLock(<uninit>)");
    lazy.push('?');
    assert_eq!(*lazy, "captured!?");
    LazyLock::force_mut(&mut lazy).push('.');
    assert_eq!(format!("{lazy:?}"), "LazyLock(\"captured!?.\")");
    assert_eq!(**LazyLock::get_mut(&mut lazy).unwrap(), *"captured!?.");
    assert_eq!(*LazyLock::<u8>::default(), 0);
}

#[test]
fn a_lazy_value_is_poisoned_by_a_panic() {
    let lazy: LazyLock<u8> = LazyLock::new(|| panic!("on purpose"));
    assert!(catch_unwind(|| *lazy).is_err());
    let message = catch_unwind(|| *lazy).unwrap_err();
    let message = message.downcast_ref::<&str>().copied();
    assert_eq!(
        message,
        Some("LazyLock instance has previously been poisoned")
    );
    assert_eq!(LazyLock::get(&lazy), None);
    let mut lazy: LazyLock<u8> = LazyLock::new(|| panic!("on purpose"));
    for _ in 0..2 {
        let forced = catch_unwind(AssertUnwindSafe(|| *LazyLock::force_mut(&mut lazy)));
        assert!(forced.is_err());
    }
}

/// What was not called is dropped, and what was made.
#[test]
fn what_is_inside_is_dropped() {
    let counted = Arc::new(());
    let inside = Arc::clone(&counted);
    let lazy = LazyLock::new(move || inside);
    assert_eq!(Arc::strong_count(&counted), 2);
    assert_eq!(Arc::strong_count(&lazy), 2);
    drop(lazy);
    assert_eq!(Arc::strong_count(&counted), 1);
    let inside = Arc::clone(&counted);
    drop(LazyLock::new(move || inside));
    drop(OnceLock::from(Arc::clone(&counted)));
    assert_eq!(Arc::strong_count(&counted), 1);
}

#[test]
fn traits() {
    fn has<T: Send + Sync + UnwindSafe + RefUnwindSafe + Debug>() {}
    has::<Once>();
    has::<OnceLock<u8>>();
    has::<LazyLock<u8>>();
    fn shared<T: Send + Sync>() {}
    shared::<LazyLock<u8, Box<dyn FnOnce() -> u8 + Send>>>();
}
