//! Types of other libraries whose operations are single steps.

use commute::sync::Arc;
use commute::thread;

use crate::seen::{outcomes, seen};

#[cfg(feature = "crossbeam")]
#[test]
fn elements_of_a_queue_come_in_two_orders() {
    use commute::crossbeam::queue::SegQueue;
    let count = outcomes(|| {
        let queue = Arc::new(SegQueue::new());
        let other = Arc::clone(&queue);
        let thread = thread::spawn(move || other.push(1));
        queue.push(2);
        thread.join().unwrap();
        assert_eq!(queue.pop().unwrap() + queue.pop().unwrap(), 3);
    });
    assert_eq!(count, 2);
}

#[cfg(feature = "arc-swap")]
#[test]
fn a_pointer_is_swapped_before_or_after() {
    use commute::arc_swap::ArcSwap;
    let count = outcomes(|| {
        let current = Arc::new(ArcSwap::from_pointee(0));
        let other = Arc::clone(&current);
        let thread = thread::spawn(move || other.store(Arc::new(1)));
        assert!(**current.load() <= 1);
        thread.join().unwrap();
        assert_eq!(**current.load(), 1);
    });
    assert_eq!(count, 2);
}

#[cfg(feature = "papaya")]
#[test]
fn a_key_is_there_before_or_after() {
    use commute::papaya::HashMap;
    let count = outcomes(|| {
        let map = Arc::new(HashMap::new());
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || other.pin().insert(1, 2).copied());
        let _ = map.pin().get(&1).copied();
        thread.join().unwrap();
        assert_eq!(map.pin().get(&1), Some(&2));
    });
    assert_eq!(count, 2);
}

/// Each looks and then puts something in place of what it saw, if it is still there; if
/// not, it looks again. One does both first, or both look and one is faster: three ways,
/// whoever looks first.
#[cfg(feature = "papaya")]
#[test]
fn an_update_that_comes_too_late_is_done_again() {
    use commute::papaya::HashMap;
    let count = outcomes(|| {
        let map = Arc::new(HashMap::from([(7, 0)]));
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || {
            other.pin().update(7, |v| v + 1);
        });
        map.pin().update(7, |v| v + 1);
        thread.join().unwrap();
        assert_eq!(map.pin().get(&7), Some(&2));
    });
    assert_eq!(count, 6);
}

/// The key is removed before it is looked for, between, or afterwards.
#[cfg(feature = "papaya")]
#[test]
fn a_removal_that_a_closure_decides_on_is_seen() {
    use commute::papaya::{HashMap, HashSet};
    let count = outcomes(|| {
        let map = Arc::new(HashMap::from([(7, 0)]));
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || {
            let _ = other.pin().remove_if(&7, |_, _| true);
        });
        let _ = map.pin().get(&7).copied();
        thread.join().unwrap();
        assert!(map.pin().is_empty());
    });
    assert_eq!(count, 3);
    // All keys are looked up, then the one is removed.
    let count = outcomes(|| {
        let set = Arc::new(HashSet::from([7]));
        let other = Arc::clone(&set);
        let thread = thread::spawn(move || other.pin().clear());
        let _ = set.pin().contains(&7);
        thread.join().unwrap();
        assert!(set.pin().is_empty());
    });
    assert_eq!(count, 3);
}

/// Both look, and the second to insert finds what the first has; or one is over before
/// the other begins.
#[cfg(feature = "crossbeam")]
#[test]
fn a_value_is_made_between_two_steps() {
    use commute::crossbeam::skiplist::SkipMap;
    let count = outcomes(|| {
        let map = Arc::new(SkipMap::new());
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || *other.get_or_insert_with(7, || 1).value());
        let mine = *map.get_or_insert_with(7, || 2).value();
        assert_eq!(thread.join().unwrap(), mine);
        map.clear();
        assert!(map.is_empty());
    });
    assert_eq!(count, 6);
}

/// To compare, to copy and to show is to look.
#[cfg(feature = "papaya")]
#[test]
fn a_whole_map_is_looked_at_before_or_after() {
    use commute::papaya::{HashMap, HashSet};
    let programs: [fn(&HashMap<u32, u32>); 3] = [
        |map| assert!(map.clone().len() <= 1),
        |map| assert!(format!("{map:?}").len() <= "{7: 0}".len()),
        |map| {
            let _ = *map == HashMap::new();
        },
    ];
    for program in programs {
        let count = outcomes(move || {
            let map = Arc::new(HashMap::new());
            let other = Arc::clone(&map);
            let thread = thread::spawn(move || other.pin().insert(7, 0).copied());
            program(&map);
            thread.join().unwrap();
        });
        assert_eq!(count, 2);
    }
    let count = outcomes(|| {
        let set = Arc::new(HashSet::new());
        let other = Arc::clone(&set);
        let thread = thread::spawn(move || other.pin().insert(7));
        let _ = *set == HashSet::from([7]);
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
}

/// What is in a queue depends on what was there before, too, and not only on who came
/// last.
#[cfg(feature = "crossbeam")]
#[test]
fn what_an_object_holds_depends_on_what_it_held() {
    use commute::crossbeam::queue::SegQueue;
    use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
    let seen = seen(|| {
        let queue = Arc::new(SegQueue::new());
        let last = Arc::new(AtomicU32::new(0));
        let (other, third) = (Arc::clone(&queue), Arc::clone(&queue));
        let pushes = thread::spawn(move || other.push(1));
        let looks = thread::spawn(move || third.len());
        match queue.len() {
            1 => last.store(1, SeqCst),
            _ => drop(last.load(SeqCst)),
        }
        pushes.join().unwrap();
        looks.join().unwrap();
    });
    assert_eq!(seen.because, None);
}
