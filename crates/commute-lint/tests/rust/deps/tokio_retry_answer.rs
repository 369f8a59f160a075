//! What a helper retries reads a version under a lock; what is stored with it
//! afterwards may be newer. The version is now raised in one lock.
//@ finding: Documents::save
use std::collections::HashMap;
use tokio::sync::RwLock;

#[derive(Default)]
pub struct Documents {
    versions: RwLock<HashMap<String, u64>>,
}

async fn limited<T, F: Future<Output = T>>(run: F) -> Result<T, String> {
    tokio::time::timeout(std::time::Duration::from_secs(1), run)
        .await
        .map_err(|_| "too late".to_owned())
}

impl Documents {
    async fn version(&self, name: &str) -> u64 {
        self.versions.read().await.get(name).copied().unwrap_or(0)
    }

    async fn store(&self, name: &str, version: u64) {
        self.versions.write().await.insert(name.to_owned(), version);
    }

    async fn raise(&self, name: &str) -> u64 {
        let mut versions = self.versions.write().await;
        let version = versions.entry(name.to_owned()).or_insert(0);
        *version += 1;
        *version
    }

    #[cfg(not(fixed))]
    pub async fn save(&self, name: &str) -> Result<u64, String> {
        let version = limited(self.version(name)).await? + 1;
        limited(self.store(name, version)).await?;
        Ok(version)
    }

    #[cfg(fixed)]
    pub async fn save(&self, name: &str) -> Result<u64, String> {
        limited(self.raise(name)).await
    }
}
