//! Workers get the numbers of jobs from channels and run what is not taken
//! yet: a job that two channels name runs twice. Claiming is now one step.
//@ finding: worker
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};

#[derive(Clone, Copy, PartialEq)]
pub enum Status {
    Waiting,
    Running,
    Done,
}

#[derive(Default)]
pub struct Jobs {
    status: Mutex<HashMap<u64, Status>>,
}

impl Jobs {
    async fn status(&self, id: u64) -> Option<Status> {
        self.status.lock().await.get(&id).copied()
    }

    async fn set(&self, id: u64, status: Status) {
        self.status.lock().await.insert(id, status);
    }

    async fn claim(&self, id: u64) -> bool {
        let mut all = self.status.lock().await;
        match all.get_mut(&id) {
            Some(status) if *status == Status::Waiting => {
                *status = Status::Running;
                true
            }
            _ => false,
        }
    }
}

async fn work<R>(runner: &R, id: u64)
where
    R: Fn(u64),
{
    runner(id);
    tokio::task::yield_now().await;
}

#[cfg(not(fixed))]
async fn worker<R: Fn(u64) + Send + Sync>(
    jobs: Arc<Jobs>,
    runner: Arc<R>,
    mut ids: mpsc::Receiver<u64>,
) {
    while let Some(id) = ids.recv().await {
        if jobs.status(id).await == Some(Status::Waiting) {
            jobs.set(id, Status::Running).await;
            work(&*runner, id).await;
            jobs.set(id, Status::Done).await;
        }
    }
}

#[cfg(fixed)]
async fn worker<R: Fn(u64) + Send + Sync>(
    jobs: Arc<Jobs>,
    runner: Arc<R>,
    mut ids: mpsc::Receiver<u64>,
) {
    while let Some(id) = ids.recv().await {
        if jobs.claim(id).await {
            work(&*runner, id).await;
            jobs.set(id, Status::Done).await;
        }
    }
}

pub fn start<R: Fn(u64) + Send + Sync + 'static>(
    jobs: &Arc<Jobs>,
    runner: Arc<R>,
    channels: Vec<mpsc::Receiver<u64>>,
) {
    for channel in channels {
        tokio::spawn(worker(jobs.clone(), runner.clone(), channel));
    }
}
