//! tokio rwlock cache.
//@ finding: Resolver::resolve
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::RwLock;
#[derive(Clone)]
pub struct Resolver {
    cache: Arc<RwLock<HashMap<String, Arc<String>>>>,
}
async fn query(name: &str) -> String {
    tokio::task::yield_now().await;
    name.to_owned()
}
impl Resolver {
    #[cfg(not(fixed))]
    pub async fn resolve(&self, name: &str) -> Arc<String> {
        if let Some(found) = self.cache.read().await.get(name) {
            return found.clone();
        }
        let made = Arc::new(query(name).await);
        self.cache
            .write()
            .await
            .insert(name.to_owned(), made.clone());
        made
    }
    #[cfg(fixed)]
    pub async fn resolve(&self, name: &str) -> Arc<String> {
        if let Some(found) = self.cache.read().await.get(name) {
            return found.clone();
        }
        let mut cache = self.cache.write().await;
        if let Some(found) = cache.get(name) {
            return found.clone();
        }
        let made = Arc::new(query(name).await);
        cache.insert(name.to_owned(), made.clone());
        made
    }
}
