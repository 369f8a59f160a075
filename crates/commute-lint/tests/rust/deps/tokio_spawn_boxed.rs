//! A scheduler spawns jobs in boxes. A job counts how often it ran: it reads
//! the count, works, and stores one more. Runs of one job lose counts.
//@ finding: Counter::job
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::Mutex;

type Job = Pin<Box<dyn Future<Output = ()> + Send>>;

#[derive(Default)]
pub struct Counter {
    runs: Mutex<HashMap<u32, u64>>,
}

async fn work() {
    tokio::task::yield_now().await
}

impl Counter {
    #[cfg(not(fixed))]
    fn job(self: Arc<Self>, id: u32) -> Job {
        Box::pin(async move {
            let runs = self.runs.lock().await.get(&id).copied().unwrap_or(0);
            work().await;
            self.runs.lock().await.insert(id, runs + 1);
        })
    }

    #[cfg(fixed)]
    fn job(self: Arc<Self>, id: u32) -> Job {
        Box::pin(async move {
            work().await;
            *self.runs.lock().await.entry(id).or_insert(0) += 1;
        })
    }
}

pub fn start(id: u32, times: u32) {
    let counter = Arc::new(Counter::default());
    for _ in 0..times {
        tokio::spawn(counter.clone().job(id));
    }
}
