//! A job that failed goes back into the queue. Who puts the whole queue back
//! throws away what came in the meantime.
//@ suppression: Taken
//@ finding: work
use std::collections::VecDeque;
use std::sync::Mutex;
pub struct Queue {
    jobs: Mutex<VecDeque<u32>>,
}
fn perform(job: u32) -> bool {
    job % 3 != 0
}
impl Queue {
    pub fn push(&self, job: u32) {
        self.jobs.lock().unwrap().push_back(job);
    }
    #[cfg(fixed)]
    pub fn work(&self) {
        let Some(job) = self.jobs.lock().unwrap().pop_front() else {
            return;
        };
        if !perform(job) {
            self.jobs.lock().unwrap().push_back(job);
        }
    }
    #[cfg(not(fixed))]
    pub fn work(&self) {
        let mut jobs = std::mem::take(&mut *self.jobs.lock().unwrap());
        jobs.retain(|job| !perform(*job));
        *self.jobs.lock().unwrap() = jobs;
    }
}
