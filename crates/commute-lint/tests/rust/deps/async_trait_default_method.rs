//! A trait of stores brings along a method that inserts what is missing: it
//! asks and stores, each with its own lock, and what another has stored in
//! between is replaced. Stores now say themselves how that is done.
//@ finding: get_or_insert
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;

pub trait Store: Send + Sync {
    fn get(&self, key: u64) -> impl Future<Output = Option<Arc<str>>> + Send;
    fn put(&self, key: u64, value: Arc<str>) -> impl Future<Output = ()> + Send;
    fn put_new(&self, key: u64, value: Arc<str>) -> impl Future<Output = Arc<str>> + Send;

    #[cfg(not(fixed))]
    fn get_or_insert(&self, key: u64, value: Arc<str>) -> impl Future<Output = Arc<str>> + Send {
        async move {
            if let Some(known) = self.get(key).await {
                return known;
            }
            self.put(key, value.clone()).await;
            value
        }
    }

    #[cfg(fixed)]
    fn get_or_insert(&self, key: u64, value: Arc<str>) -> impl Future<Output = Arc<str>> + Send {
        async move { self.put_new(key, value).await }
    }
}

#[derive(Default)]
pub struct Memory {
    values: Mutex<HashMap<u64, Arc<str>>>,
}

impl Store for Memory {
    async fn get(&self, key: u64) -> Option<Arc<str>> {
        self.values.lock().await.get(&key).cloned()
    }

    async fn put(&self, key: u64, value: Arc<str>) {
        self.values.lock().await.insert(key, value);
    }

    async fn put_new(&self, key: u64, value: Arc<str>) -> Arc<str> {
        let mut values = self.values.lock().await;
        values.entry(key).or_insert(value).clone()
    }
}

pub async fn handle<S: Store>(store: &S, key: u64) -> Arc<str> {
    store.get_or_insert(key, "new".into()).await
}
