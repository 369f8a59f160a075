//! What was seen travels in a structure through two functions.
//@ finding: Scheduler::schedule
use std::sync::Mutex;
#[derive(Clone)]
pub struct Worker {
    load: u32,
    jobs: Vec<u32>,
}
struct Plan {
    worker: usize,
    load: u32,
}
pub struct Scheduler {
    workers: Mutex<Vec<Worker>>,
}
impl Scheduler {
    #[cfg(not(fixed))]
    fn plan(&self) -> Option<Plan> {
        let workers = self.workers.lock().unwrap();
        let (worker, best) = workers
            .iter()
            .enumerate()
            .min_by_key(|(_, worker)| worker.load)?;
        Some(Plan {
            worker,
            load: best.load,
        })
    }
    #[cfg(not(fixed))]
    fn apply(&self, plan: Plan, job: u32) {
        let mut workers = self.workers.lock().unwrap();
        workers[plan.worker].load = plan.load + 1;
        workers[plan.worker].jobs.push(job);
    }
    #[cfg(not(fixed))]
    pub fn schedule(&self, job: u32) -> bool {
        let Some(plan) = self.plan() else {
            return false;
        };
        self.apply(plan, job);
        true
    }
    #[cfg(fixed)]
    pub fn schedule(&self, job: u32) -> bool {
        let mut workers = self.workers.lock().unwrap();
        let Some(worker) = workers.iter_mut().min_by_key(|worker| worker.load) else {
            return false;
        };
        worker.load += 1;
        worker.jobs.push(job);
        true
    }
    pub fn add_worker(&self) {
        self.workers.lock().unwrap().push(Worker {
            load: 0,
            jobs: Vec::new(),
        });
    }
    pub fn remove_worker(&self, at: usize) {
        self.workers.lock().unwrap().remove(at);
    }
}
