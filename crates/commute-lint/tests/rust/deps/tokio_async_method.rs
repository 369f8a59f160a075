//! tokio helper async.
//@ finding: Registry::register
use std::collections::HashMap;
use tokio::sync::RwLock;
pub struct Registry {
    names: RwLock<HashMap<String, u64>>,
}
impl Registry {
    async fn lookup(&self, name: &str) -> Option<u64> {
        self.names.read().await.get(name).copied()
    }
    async fn store(&self, name: &str, id: u64) {
        self.names.write().await.insert(name.to_owned(), id);
    }
    #[cfg(not(fixed))]
    pub async fn register(&self, name: &str, id: u64) -> Result<(), u64> {
        if let Some(old) = self.lookup(name).await {
            return Err(old);
        }
        self.store(name, id).await;
        Ok(())
    }
    #[cfg(fixed)]
    pub async fn register(&self, name: &str, id: u64) -> Result<(), u64> {
        let mut names = self.names.write().await;
        if let Some(old) = names.get(name) {
            return Err(*old);
        }
        names.insert(name.to_owned(), id);
        Ok(())
    }
    pub async fn rename(&self, name: &str, id: u64) {
        self.store(name, id).await;
    }
}
