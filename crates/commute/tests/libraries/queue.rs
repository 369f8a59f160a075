//! What people do with queues.

use std::thread;

use super::library::queue::{ArrayQueue, SegQueue};

pub(crate) const CAPACITY: usize = 3;

static GLOBAL: SegQueue<u32> = SegQueue::new();

pub(crate) fn main() {
    seg_queues();
    array_queues();
    stress();
}

fn seg_queues() {
    GLOBAL.push(1);
    assert_eq!(GLOBAL.pop(), Some(1));
    assert!(GLOBAL.is_empty() && GLOBAL.pop().is_none());
    let mut queue = SegQueue::default();
    queue.push("a");
    queue.push_mut("b");
    assert_eq!((queue.len(), queue.pop_mut()), (2, Some("a")));
    assert_eq!(format!("{queue:?}"), "SegQueue { .. }");
    assert_eq!(queue.into_iter().collect::<String>(), "b");
}

fn array_queues() {
    let mut queue = ArrayQueue::new(CAPACITY);
    assert_eq!(queue.capacity(), CAPACITY);
    assert_eq!(queue.push(1), Ok(()));
    assert_eq!(queue.push_mut(2), Ok(()));
    assert_eq!(queue.force_push(3), None);
    assert!(queue.is_full());
    assert_eq!(queue.push(4), Err(4));
    assert_eq!(queue.force_push(5), Some(1));
    assert_eq!((queue.pop(), queue.pop_mut()), (Some(2), Some(3)));
    assert_eq!((queue.len(), queue.is_empty()), (1, false));
    assert_eq!(format!("{queue:?}"), "ArrayQueue { .. }");
    assert_eq!(queue.into_iter().collect::<Vec<_>>(), [5]);
}

fn stress() {
    let (seg, array) = (SegQueue::new(), ArrayQueue::new(CAPACITY));
    thread::scope(|scope| {
        for thread in 0..4 {
            let (seg, array) = (&seg, &array);
            scope.spawn(move || {
                for round in 0..2000 {
                    let value = round * 4 + thread;
                    match (round + thread) % 8 {
                        0..4 => {
                            seg.push(value);
                            let _ = array.push(value);
                        }
                        4 | 5 => {
                            seg.pop();
                            array.pop();
                        }
                        6 => drop((seg.len(), array.force_push(value))),
                        _ => drop((seg.is_empty(), array.len())),
                    }
                    if round % 64 == 0 {
                        while seg.pop().is_some() {}
                    }
                }
            });
        }
    });
}
