//! A cache of keys of a file system (ZeroFS #311): a read that misses asks the
//! database and puts the answer in, while a write has put a newer one into both.
//! The old one stays in the cache. Each key has a lock for both now.
//@ finding: get_bytes
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Mutex, RwLock};

pub type Bytes = Arc<[u8]>;

#[derive(Default)]
pub struct Database {
    stored: RwLock<HashMap<String, Bytes>>,
}

impl Database {
    pub async fn get(&self, key: &str) -> Option<Bytes> {
        self.stored.read().await.get(key).cloned()
    }
    pub async fn put(&self, key: &str, value: Bytes) {
        self.stored.write().await.insert(key.to_owned(), value);
    }
}

#[derive(Default)]
pub struct KeyCache {
    entries: RwLock<HashMap<String, Option<Bytes>>>,
}

impl KeyCache {
    async fn get(&self, key: &str) -> Option<Option<Bytes>> {
        self.entries.read().await.get(key).cloned()
    }
    async fn insert(&self, key: &str, value: Option<Bytes>) {
        self.entries.write().await.insert(key.to_owned(), value);
    }
    async fn remove(&self, key: &str) {
        self.entries.write().await.remove(key);
    }
}

#[derive(Clone, Default)]
pub struct EncryptedDb {
    inner: Arc<Database>,
    cache: Arc<KeyCache>,
    serial: Arc<Mutex<()>>,
}

impl EncryptedDb {
    pub async fn get_bytes(&self, key: &str) -> Option<Bytes> {
        if let Some(found) = self.cache.get(key).await {
            return found;
        }
        #[cfg(fixed)]
        let _serial = self.serial.lock().await;
        let found = self.inner.get(key).await;
        self.cache.insert(key, found.clone()).await;
        found
    }

    pub async fn put_bytes(&self, key: &str, value: Bytes) {
        #[cfg(fixed)]
        let _serial = self.serial.lock().await;
        self.inner.put(key, value).await;
        self.cache.remove(key).await;
    }
}
