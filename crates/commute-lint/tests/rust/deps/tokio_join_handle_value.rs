//! What a task reads is waited for and stored: the count may have changed since.
//@ finding: Counters::bump
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;

#[derive(Clone, Default)]
pub struct Counters {
    counts: Arc<Mutex<HashMap<u32, u64>>>,
}

impl Counters {
    #[cfg(not(fixed))]
    pub async fn bump(&self, id: u32) {
        let counts = self.counts.clone();
        let task = tokio::spawn(async move { counts.lock().await.get(&id).copied().unwrap_or(0) });
        let Ok(count) = task.await else { return };
        self.counts.lock().await.insert(id, count + 1);
    }

    #[cfg(fixed)]
    pub async fn bump(&self, id: u32) {
        let counts = self.counts.clone();
        let task = tokio::spawn(async move {
            *counts.lock().await.entry(id).or_insert(0) += 1;
        });
        task.await.ok();
    }
}
