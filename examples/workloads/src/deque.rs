//! The queue of a worker from which others steal, as in Cilk: the owner pushes and pops
//! at the tail, thieves take from the head. Only when both may want the last element, or
//! there is no room, does the owner take a lock.

use commute::sync::Mutex;
use commute::sync::atomic::{AtomicI64, AtomicUsize, Ordering::SeqCst};

/// The most elements that ever are in a queue.
const MOST: usize = 16;

/// The queue; elements are numbers.
#[derive(Debug)]
pub struct Deque {
    head: AtomicI64,
    tail: AtomicI64,
    /// How many of the places are used, less one: a power of two, less one.
    mask: AtomicI64,
    elements: [AtomicUsize; MOST],
    lock: Mutex<()>,
}

impl Deque {
    /// With room for so many at first, a power of two.
    pub fn new(size: usize) -> Deque {
        Deque {
            head: AtomicI64::new(0),
            tail: AtomicI64::new(0),
            mask: AtomicI64::new(size as i64 - 1),
            elements: std::array::from_fn(|_| AtomicUsize::new(0)),
            lock: Mutex::new(()),
        }
    }

    fn place(&self, index: i64) -> &AtomicUsize {
        &self.elements[(index & self.mask.load(SeqCst)) as usize]
    }

    /// Adds an element. Only the owner may.
    pub fn push(&self, element: usize) {
        let tail = self.tail.load(SeqCst);
        if tail < self.head.load(SeqCst) + self.mask.load(SeqCst) {
            self.place(tail).store(element, SeqCst);
            self.tail.store(tail + 1, SeqCst);
        } else {
            self.push_alone(element);
        }
    }

    /// While nobody steals: there may be no room, and then it is doubled.
    fn push_alone(&self, element: usize) {
        let _alone = self.lock.lock().unwrap();
        let (head, mask) = (self.head.load(SeqCst), self.mask.load(SeqCst));
        let count = self.tail.load(SeqCst) - head;
        if count >= mask {
            let all = (0..count).map(|i| self.place(head + i).load(SeqCst));
            let all: Vec<usize> = all.collect();
            self.mask.store(2 * mask + 1, SeqCst);
            for (i, element) in all.into_iter().enumerate() {
                self.place(i as i64).store(element, SeqCst);
            }
            self.head.store(0, SeqCst);
            self.tail.store(count, SeqCst);
        }
        let tail = self.tail.load(SeqCst);
        self.place(tail).store(element, SeqCst);
        self.tail.store(tail + 1, SeqCst);
    }

    /// Takes the element that was added last. Only the owner may.
    pub fn pop(&self) -> Option<usize> {
        let tail = self.tail.load(SeqCst) - 1;
        self.tail.swap(tail, SeqCst);
        if self.head.load(SeqCst) <= tail {
            return Some(self.place(tail).load(SeqCst));
        }
        self.tail.store(tail + 1, SeqCst);
        self.pop_alone()
    }

    /// While nobody steals.
    fn pop_alone(&self) -> Option<usize> {
        let _alone = self.lock.lock().unwrap();
        let tail = self.tail.load(SeqCst) - 1;
        self.tail.swap(tail, SeqCst);
        if self.head.load(SeqCst) <= tail {
            return Some(self.place(tail).load(SeqCst));
        }
        self.tail.store(tail + 1, SeqCst);
        None
    }

    /// Takes the element that was added first.
    pub fn steal(&self) -> Option<usize> {
        let _alone = self.lock.lock().unwrap();
        let head = self.head.load(SeqCst);
        self.head.swap(head + 1, SeqCst);
        if head < self.tail.load(SeqCst) {
            return Some(self.place(head).load(SeqCst));
        }
        self.head.store(head, SeqCst);
        None
    }
}
