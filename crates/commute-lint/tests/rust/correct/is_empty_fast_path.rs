//! Is empty fast path, as far as the cases use it.
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
pub struct Injector {
    queue: Mutex<VecDeque<u32>>,
    length: AtomicUsize,
}
impl Injector {
    pub fn push(&self, job: u32) {
        let mut queue = self.queue.lock().unwrap();
        queue.push_back(job);
        self.length.store(queue.len(), Ordering::Release);
    }
    pub fn pop(&self) -> Option<u32> {
        if self.length.load(Ordering::Acquire) == 0 {
            return None;
        }
        let mut queue = self.queue.lock().unwrap();
        let job = queue.pop_front();
        self.length.store(queue.len(), Ordering::Release);
        job
    }
}
