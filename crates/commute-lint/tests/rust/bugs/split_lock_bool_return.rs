//! split lock bool return.
//@ finding: Jobs::claim
use std::collections::HashMap;
use std::sync::Mutex;
#[derive(PartialEq, Clone, Copy)]
pub enum Status {
    Queued,
    Running,
    Done,
}
pub struct Jobs {
    jobs: Mutex<HashMap<u64, Status>>,
}
impl Jobs {
    fn status(&self, id: u64) -> Option<Status> {
        self.jobs.lock().unwrap().get(&id).copied()
    }
    fn set(&self, id: u64, status: Status) {
        self.jobs.lock().unwrap().insert(id, status);
    }
    fn can_run(&self, id: u64) -> bool {
        self.status(id) == Some(Status::Queued)
    }
    #[cfg(not(fixed))]
    pub fn claim(&self, id: u64) -> bool {
        if !self.can_run(id) {
            return false;
        }
        self.set(id, Status::Running);
        true
    }
    #[cfg(fixed)]
    pub fn claim(&self, id: u64) -> bool {
        match self.jobs.lock().unwrap().get_mut(&id) {
            Some(status) if *status == Status::Queued => {
                *status = Status::Running;
                true
            }
            _ => false,
        }
    }
    pub fn queue(&self, id: u64) {
        self.set(id, Status::Queued);
    }
    pub fn finish(&self, id: u64) {
        self.set(id, Status::Done);
    }
    pub fn runnable(&self, id: u64) -> bool {
        self.can_run(id)
    }
}
