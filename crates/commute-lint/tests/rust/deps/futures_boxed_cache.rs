//! Loaders are boxed by `boxed`. The cache is asked by one and filled by
//! another, and what was put there in between is overwritten by an older
//! value. The entry is now only filled if it is still missing.
//@ finding: Cache::refresh
use futures::FutureExt;
use futures::future::BoxFuture;
use std::collections::HashMap;
use tokio::sync::RwLock;

#[derive(Default)]
pub struct Cache {
    entries: RwLock<HashMap<String, u64>>,
}

impl Cache {
    fn version<'a>(&'a self, key: &'a str) -> BoxFuture<'a, u64> {
        async move { self.entries.read().await.get(key).copied().unwrap_or(0) }.boxed()
    }

    fn store<'a>(&'a self, key: &'a str, version: u64) -> BoxFuture<'a, ()> {
        async move {
            self.entries.write().await.insert(key.to_owned(), version);
        }
        .boxed()
    }

    fn raise<'a>(&'a self, key: &'a str) -> BoxFuture<'a, u64> {
        async move {
            let mut entries = self.entries.write().await;
            let version = entries.entry(key.to_owned()).or_insert(0);
            *version += 1;
            *version
        }
        .boxed()
    }

    #[cfg(not(fixed))]
    pub async fn refresh(&self, key: &str) -> u64 {
        let version = self.version(key).await + 1;
        self.store(key, version).await;
        version
    }

    #[cfg(fixed)]
    pub async fn refresh(&self, key: &str) -> u64 {
        self.raise(key).await
    }
}
