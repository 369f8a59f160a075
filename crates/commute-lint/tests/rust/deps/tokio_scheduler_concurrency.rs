//! A scheduler starts a job if fewer runs of it are active than allowed. It
//! asks its storage, an object with boxed futures, and the run is noted there
//! by the task that it spawns: triggers that come together all start. It now
//! counts what it has in memory, and adds to it, under one lock.
//@ finding: Scheduler::trigger
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::{Mutex, RwLock};

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

pub trait Storage: Send + Sync {
    fn count_running<'a>(&'a self, job: &'a str) -> Boxed<'a, usize>;
    fn save_run<'a>(&'a self, run: u64, job: &'a str) -> Boxed<'a, ()>;
}

#[derive(Default)]
pub struct InMemory {
    runs: RwLock<HashMap<u64, String>>,
}

impl Storage for InMemory {
    fn count_running<'a>(&'a self, job: &'a str) -> Boxed<'a, usize> {
        Box::pin(async move {
            let runs = self.runs.read().await;
            runs.values().filter(|name| *name == job).count()
        })
    }

    fn save_run<'a>(&'a self, run: u64, job: &'a str) -> Boxed<'a, ()> {
        Box::pin(async move {
            self.runs.write().await.insert(run, job.to_owned());
        })
    }
}

pub struct Scheduler {
    storage: Arc<dyn Storage>,
    running: Mutex<HashMap<u64, String>>,
    max: usize,
}

impl Scheduler {
    #[cfg(not(fixed))]
    pub async fn trigger(&self, run: u64, job: &str) -> bool {
        if self.storage.count_running(job).await >= self.max {
            return false;
        }
        self.storage.save_run(run, job).await;
        self.running.lock().await.insert(run, job.to_owned());
        true
    }

    #[cfg(fixed)]
    pub async fn trigger(&self, run: u64, job: &str) -> bool {
        let mut running = self.running.lock().await;
        if running.values().filter(|name| *name == job).count() >= self.max {
            return false;
        }
        running.insert(run, job.to_owned());
        drop(running);
        self.storage.save_run(run, job).await;
        true
    }
}
