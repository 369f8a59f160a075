//! A list of members is replaced after it was read, both under a gate. But
//! there is a public function that writes without the gate: what it adds is
//! lost. It goes through the gate now.
//@ finding: Members::promote
use tokio::sync::{Mutex, RwLock};

#[derive(Default)]
pub struct Members {
    gate: Mutex<()>,
    all: RwLock<Vec<u64>>,
}

async fn check(all: &[u64]) -> bool {
    tokio::task::yield_now().await;
    !all.is_empty()
}

impl Members {
    #[cfg(not(fixed))]
    pub async fn replace(&self, all: Vec<u64>) {
        *self.all.write().await = all;
    }

    #[cfg(fixed)]
    async fn replace(&self, all: Vec<u64>) {
        *self.all.write().await = all;
    }

    pub async fn promote(&self, member: u64) {
        let _gate = self.gate.lock().await;
        let mut all = self.all.read().await.clone();
        if !check(&all).await {
            return;
        }
        all.insert(0, member);
        self.replace(all).await;
    }
}
