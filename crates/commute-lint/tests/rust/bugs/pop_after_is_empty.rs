//! pop after is empty.
//@ finding: WorkQueue::next
use std::collections::VecDeque;
use std::sync::Mutex;
pub struct Job {
    pub id: u64,
}
pub struct WorkQueue {
    jobs: Mutex<VecDeque<Job>>,
}
impl WorkQueue {
    pub fn submit(&self, id: u64) {
        self.jobs.lock().unwrap().push_back(Job { id });
    }
    #[cfg(not(fixed))]
    pub fn next(&self) -> Option<Job> {
        if self.jobs.lock().unwrap().is_empty() {
            return None;
        }
        Some(self.jobs.lock().unwrap().pop_front().unwrap())
    }
    #[cfg(fixed)]
    pub fn next(&self) -> Option<Job> {
        self.jobs.lock().unwrap().pop_front()
    }
}
