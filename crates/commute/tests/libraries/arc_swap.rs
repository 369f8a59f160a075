//! What people do with pointers that others replace.

use std::ptr;
use std::sync::Arc;
use std::thread;

use super::library::access::Access;
use super::library::{ArcSwap, ArcSwapAny, ArcSwapOption, Cache, Guard, cache};

static GLOBAL: ArcSwapOption<u32> = ArcSwapOption::const_empty();

pub(crate) fn main() {
    one_thread();
    options();
    projections();
    #[cfg(feature = "arc-swap-weak")]
    weak();
    counting();
    drops_that_wait();
    stress();
}

fn one_thread() {
    let one = Arc::new(1);
    let swap: ArcSwap<u32> = ArcSwap::new(Arc::clone(&one));
    let guard: Guard<Arc<u32>> = swap.load();
    assert_eq!(**guard, 1);
    swap.store(Arc::new(2));
    assert_eq!((**guard, *swap.load_full()), (1, 2));
    assert_eq!(*swap.swap(Arc::new(3)), 2);
    let before = swap.compare_and_swap(&one, Arc::new(4));
    assert_eq!(**before, 3);
    let before = swap.compare_and_swap(&before, Arc::new(5));
    assert_eq!((**before, **swap.load()), (3, 5));
    assert_eq!(*swap.rcu(|n| **n + 1), 5);
    assert_eq!(format!("{swap:?} {swap}"), "ArcSwapAny(6) 6");
    assert_eq!(*swap.into_inner(), 6);
    assert_eq!(**ArcSwap::<u8>::default().load(), 0);
    assert_eq!(**ArcSwap::from(Arc::new("a")).load(), "a");
    assert_eq!(**ArcSwap::from_pointee("b").load(), "b");
}

fn options() {
    assert!(GLOBAL.swap(None).is_none());
    let none: *const u32 = ptr::null();
    assert!(GLOBAL.compare_and_swap(none, Some(Arc::new(1))).is_none());
    assert_eq!(GLOBAL.load().as_deref(), Some(&1));
    GLOBAL.store(None);
    let option = ArcSwapOption::<u32>::from_pointee(7);
    assert_eq!(option.load_full().as_deref(), Some(&7));
    assert!(ArcSwapAny::<Option<Arc<u8>>>::empty().load().is_none());
}

fn projections() {
    fn value(of: impl Access<u32>) -> u32 {
        *of.load()
    }
    let pair = ArcSwap::from_pointee((1, 2));
    assert_eq!(value(pair.map(|pair: &(u32, u32)| &pair.1)), 2);
    assert_eq!(value(ArcSwap::from_pointee(3)), 3);
    let mut cache = Cache::new(&pair);
    assert_eq!(cache.load().0, 1);
    pair.store(Arc::new((4, 5)));
    assert_eq!(cache.load().0, 4);
    assert_eq!(cache.arc_swap().load().1, 5);
    let mut second = cache.map(|pair| &pair.1);
    assert_eq!(*cache::Access::load(&mut second), 5);
    pair.store(Arc::new((6, 7)));
    assert_eq!(*cache::Access::load(&mut second), 7);
}

#[cfg(feature = "arc-swap-weak")]
fn weak() {
    use super::library::ArcSwapWeak;
    use std::sync::Weak;

    let strong = Arc::new(1);
    let weak = ArcSwapWeak::new(Arc::downgrade(&strong));
    assert_eq!(weak.load().upgrade().as_deref(), Some(&1));
    let empty = weak.swap(Weak::new());
    assert!(weak.load_full().upgrade().is_none());
    weak.compare_and_swap(&Weak::new(), empty);
    assert_eq!(weak.load().upgrade().as_deref(), Some(&1));
    drop(strong);
    assert!(weak.load().upgrade().is_none());
}

fn counting() {
    let count = ArcSwap::from_pointee(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    count.rcu(|n| **n + 1);
                }
            });
        }
    });
    assert_eq!(**count.load(), 2000);
}

static SLOW: ArcSwapOption<Slow> = ArcSwapOption::const_empty();

/// Waits for another thread when it goes.
struct Slow;

impl Drop for Slow {
    fn drop(&mut self) {
        thread::spawn(|| SLOW.load().is_some()).join().unwrap();
    }
}

/// What goes may wait for somebody who wants the same pointer.
fn drops_that_wait() {
    let new = || Some(Arc::new(Slow));
    SLOW.store(new());
    SLOW.store(new());
    drop(SLOW.swap(new()));
    // Somebody else is faster the first time.
    let mut faster = true;
    SLOW.rcu(|_| {
        if std::mem::take(&mut faster) {
            SLOW.store(new());
        }
        new()
    });
    let old = SLOW.load();
    SLOW.store(new());
    // Neither of them is needed any more.
    drop(SLOW.compare_and_swap(old, new()));
    SLOW.store(None);
}

fn stress() {
    let (swap, option) = (ArcSwap::from_pointee(0), ArcSwapOption::empty());
    thread::scope(|scope| {
        for thread in 0..4 {
            let (swap, option) = (&swap, &option);
            scope.spawn(move || {
                for round in 0..2000 {
                    let new = Arc::new(round * 4 + thread);
                    match (round + thread) % 5 {
                        0 => {
                            swap.store(Arc::clone(&new));
                            option.store(Some(new));
                        }
                        1 => drop((swap.swap(Arc::clone(&new)), option.swap(None))),
                        2 => {
                            let seen = swap.load();
                            drop(swap.compare_and_swap(&seen, new));
                        }
                        3 => drop(option.rcu(|n| n.as_ref().map(|n| Arc::new(**n + 1)))),
                        _ => drop((swap.load_full(), option.load())),
                    }
                }
            });
        }
    });
}
