//! The workers of a thread pool that shrinks end themselves when there are more
//! than wanted. Each compares the number and then counts itself out: all of
//! them may see one too many, and nobody is left to work. Counting out is now
//! conditional and one step.
//@ finding: should_exit
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Shared {
    jobs: Mutex<VecDeque<Job>>,
    alive: AtomicUsize,
    wanted: AtomicUsize,
}

#[cfg(not(fixed))]
fn should_exit(shared: &Shared) -> bool {
    let wanted = shared.wanted.load(Ordering::Acquire);
    if shared.alive.load(Ordering::Acquire) > wanted {
        shared.alive.fetch_sub(1, Ordering::AcqRel);
        return true;
    }
    false
}

#[cfg(fixed)]
fn should_exit(shared: &Shared) -> bool {
    let wanted = shared.wanted.load(Ordering::Acquire);
    shared
        .alive
        .fetch_update(Ordering::AcqRel, Ordering::Acquire, |alive| {
            (alive > wanted).then(|| alive - 1)
        })
        .is_ok()
}

fn worker(shared: Arc<Shared>) {
    while !should_exit(&shared) {
        let job = shared.jobs.lock().unwrap().pop_front();
        match job {
            Some(job) => job(),
            None => thread::yield_now(),
        }
    }
}

#[derive(Clone, Default)]
pub struct ThreadPool {
    shared: Arc<Shared>,
}

impl ThreadPool {
    pub fn execute(&self, job: Job) {
        self.shared.jobs.lock().unwrap().push_back(job);
    }

    pub fn add_worker(&self) {
        self.shared.alive.fetch_add(1, Ordering::AcqRel);
        let shared = self.shared.clone();
        thread::spawn(move || worker(shared));
    }

    pub fn set_num_threads(&self, wanted: usize) {
        self.shared.wanted.store(wanted, Ordering::Release);
    }
}
