//! tokio spawned task.
//@ finding: start
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;
type Jobs = Arc<Mutex<HashMap<u64, u32>>>;
async fn work(_: u64) {
    tokio::task::yield_now().await
}
#[cfg(not(fixed))]
pub fn start(jobs: Jobs, id: u64) {
    tokio::spawn(async move {
        let tries = jobs.lock().await.get(&id).copied().unwrap_or(0);
        work(id).await;
        jobs.lock().await.insert(id, tries + 1);
    });
}
#[cfg(fixed)]
pub fn start(jobs: Jobs, id: u64) {
    tokio::spawn(async move {
        work(id).await;
        let mut jobs = jobs.lock().await;
        let tries = jobs.get(&id).copied().unwrap_or(0);
        jobs.insert(id, tries + 1);
    });
}
