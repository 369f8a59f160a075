//! The job at the front is ready, the lock is dropped for a log line, and
//! whatever is at the front by then is claimed.
//@ finding: Queue::claim
use std::collections::VecDeque;
use std::sync::Mutex;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Status {
    Ready,
    Delayed,
    Running,
}

#[derive(Clone, Debug)]
pub struct Job {
    id: u64,
    status: Status,
}

#[derive(Default)]
pub struct Queue {
    jobs: Mutex<VecDeque<Job>>,
}

impl Queue {
    pub fn push(&self, id: u64, status: Status) {
        self.jobs.lock().unwrap().push_back(Job { id, status });
    }
    pub fn finish(&self) {
        self.jobs.lock().unwrap().pop_front();
    }
    #[cfg(not(fixed))]
    pub fn claim(&self) -> bool {
        let jobs = self.jobs.lock().unwrap();
        let ready = jobs.front().is_some_and(|job| job.status == Status::Ready);
        drop(jobs);
        if !ready {
            eprintln!("nothing is ready");
            return false;
        }
        let mut jobs = self.jobs.lock().unwrap();
        if let Some(job) = jobs.front_mut() {
            job.status = Status::Running;
        }
        true
    }
    #[cfg(fixed)]
    pub fn claim(&self) -> bool {
        let mut jobs = self.jobs.lock().unwrap();
        let ready = jobs.front().is_some_and(|job| job.status == Status::Ready);
        if !ready {
            drop(jobs);
            eprintln!("nothing is ready");
            return false;
        }
        if let Some(job) = jobs.front_mut() {
            job.status = Status::Running;
        }
        true
    }
}
