//! Condvar timeout loop, as far as the cases use it.
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};
pub struct Queue {
    items: Mutex<VecDeque<u32>>,
    ready: Condvar,
}
impl Queue {
    pub fn push(&self, item: u32) {
        self.items.lock().unwrap().push_back(item);
        self.ready.notify_one();
    }
    pub fn pop(&self, timeout: Duration) -> Option<u32> {
        let deadline = Instant::now() + timeout;
        let mut items = self.items.lock().unwrap();
        loop {
            if let Some(item) = items.pop_front() {
                return Some(item);
            }
            let now = Instant::now();
            if now >= deadline {
                return None;
            }
            let (guard, result) = self.ready.wait_timeout(items, deadline - now).unwrap();
            items = guard;
            if result.timed_out() && items.is_empty() {
                return None;
            }
        }
    }
}
