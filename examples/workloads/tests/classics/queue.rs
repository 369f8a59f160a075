//! A queue with several producers and one consumer that parks when there is nothing.

use commute::sync::atomic::{AtomicBool, Ordering::SeqCst};
use commute::sync::{Arc, Mutex};
use commute::thread::{self, Thread};

struct Queue {
    items: Mutex<Vec<u32>>,
    is_parked: AtomicBool,
    consumer: Thread,
    looks_again: bool,
}

impl Queue {
    fn new(looks_again: bool) -> Queue {
        Queue {
            items: Mutex::new(Vec::new()),
            is_parked: AtomicBool::new(false),
            consumer: thread::current(),
            looks_again,
        }
    }

    fn push(&self, item: u32) {
        self.items.lock().unwrap().push(item);
        if self.is_parked.load(SeqCst) {
            self.consumer.unpark();
        }
    }

    fn try_pop(&self) -> Option<u32> {
        self.items.lock().unwrap().pop()
    }

    fn pop(&self) -> u32 {
        loop {
            if let Some(item) = self.try_pop() {
                return item;
            }
            self.is_parked.store(true, SeqCst);
            // Without this, an item that came just before is not noticed.
            if self.looks_again
                && let Some(item) = self.try_pop()
            {
                return item;
            }
            thread::park();
        }
    }
}

fn one_pushes(looks_again: bool) {
    let queue = Arc::new(Queue::new(looks_again));
    let other = Arc::clone(&queue);
    let thread = thread::spawn(move || other.push(7));
    assert_eq!(queue.pop(), 7);
    thread.join().unwrap();
}

#[commute::test]
fn queue_looks_again() {
    one_pushes(true);
}

#[commute::test(explored_only)]
fn queue_misses_a_notification() {
    one_pushes(false);
}
