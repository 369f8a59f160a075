//! A worker with room is found, and given the job when it may be full.
//@ finding: Cluster::assign
use dashmap::DashMap;

pub struct Worker {
    running: u32,
    slots: u32,
}

#[derive(Default)]
pub struct Cluster {
    workers: DashMap<u32, Worker>,
    preferred: Vec<u32>,
}

impl Cluster {
    pub fn join(&self, id: u32, slots: u32) {
        self.workers.insert(id, Worker { running: 0, slots });
    }
    pub fn finished(&self, id: u32) {
        if let Some(mut worker) = self.workers.get_mut(&id) {
            worker.running -= 1;
        }
    }
    #[cfg(not(fixed))]
    fn has_room(&self, id: u32) -> bool {
        match self.workers.get(&id) {
            Some(worker) => worker.running < worker.slots,
            None => false,
        }
    }
    #[cfg(not(fixed))]
    pub fn assign(&self) -> Option<u32> {
        let id = self.preferred.iter().copied().find(|id| self.has_room(*id))?;
        self.workers.get_mut(&id)?.running += 1;
        Some(id)
    }
    #[cfg(fixed)]
    pub fn assign(&self) -> Option<u32> {
        for id in &self.preferred {
            if let Some(mut worker) = self.workers.get_mut(id) {
                if worker.running < worker.slots {
                    worker.running += 1;
                    return Some(*id);
                }
            }
        }
        None
    }
}
