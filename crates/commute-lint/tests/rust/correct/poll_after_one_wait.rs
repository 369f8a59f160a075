//! The length is told by the region that adds, a count by who does not add, and
//! who waits once gives what came of it to the caller, who may get nothing.
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
#[derive(Default)]
pub struct Work {
    queue: Mutex<Vec<u32>>,
    ready: Condvar,
    closed: Mutex<bool>,
    total: AtomicU64,
    live: AtomicUsize,
}
impl Work {
    pub fn push(&self, item: u32) -> usize {
        let mut queue = self.queue.lock().unwrap();
        let before = queue.len();
        queue.push(item);
        if before == 0 {
            self.ready.notify_one();
        }
        before
    }
    pub fn poll(&self) -> Option<u32> {
        let mut queue = self.queue.lock().unwrap();
        if queue.is_empty() {
            queue = self.ready.wait(queue).unwrap();
        }
        queue.pop()
    }
    pub fn start(&self) -> usize {
        let live = self.live.load(Ordering::Relaxed);
        eprintln!("{live} live");
        self.live.fetch_add(1, Ordering::Relaxed) + 1
    }
    pub fn close(&self) {
        *self.closed.lock().unwrap() = true;
        self.ready.notify_all();
    }
    pub fn count(&self, n: u64) -> u64 {
        let total = self.total.load(Ordering::Relaxed);
        if n == 0 {
            return total;
        }
        self.total.fetch_add(n, Ordering::Relaxed) + n
    }
}
