//! Types of other libraries whose operations are single steps.

use commute::sync::Arc;
use commute::thread;

use crate::seen::outcomes;

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
