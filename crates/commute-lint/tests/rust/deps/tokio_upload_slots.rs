//! Uploads are limited by a count that is looked at before an await.
//@ finding: Uploads::start
use std::sync::Arc;
use tokio::sync::{Mutex, RwLock};

pub struct Uploads {
    running: Arc<Mutex<Vec<u64>>>,
    limit: RwLock<usize>,
}

async fn open(id: u64) -> Result<(), String> {
    tokio::task::yield_now().await;
    if id == 0 { Err("bad".into()) } else { Ok(()) }
}

impl Uploads {
    pub async fn set_limit(&self, limit: usize) {
        *self.limit.write().await = limit;
    }
    #[cfg(not(fixed))]
    pub async fn start(&self, id: u64) -> Result<bool, String> {
        let limit = *self.limit.read().await;
        let busy = self.running.lock().await.len() >= limit;
        if busy {
            return Ok(false);
        }
        open(id).await?;
        self.running.lock().await.push(id);
        Ok(true)
    }
    #[cfg(fixed)]
    pub async fn start(&self, id: u64) -> Result<bool, String> {
        let limit = *self.limit.read().await;
        let mut running = self.running.lock().await;
        if running.len() >= limit {
            return Ok(false);
        }
        open(id).await?;
        running.push(id);
        Ok(true)
    }
    pub async fn finish(&self, id: u64) {
        self.running.lock().await.retain(|other| *other != id);
    }
}
