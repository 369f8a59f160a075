//! A storage of a publish/subscribe system applies an update if it is newer
//! than the latest one it knows. The map of the latest is unlocked while the
//! storage is written and locked again to note the time: an older update that
//! is slower notes its time last, and the two do not fit. The lock is now kept
//! until the time is noted. Storages are objects with boxed futures.
//@ finding: Service::process
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::Mutex;

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

pub trait Storage: Send + Sync {
    fn put<'a>(&'a self, key: &'a str, value: u64) -> Boxed<'a, bool>;
}

#[derive(Default)]
pub struct Memory {
    values: Mutex<HashMap<String, u64>>,
}

impl Storage for Memory {
    fn put<'a>(&'a self, key: &'a str, value: u64) -> Boxed<'a, bool> {
        Box::pin(async move {
            let mut values = self.values.lock().await;
            values.insert(key.to_owned(), value).is_none()
        })
    }
}

pub struct Service {
    storage: Arc<dyn Storage>,
    latest: Mutex<HashMap<String, u64>>,
}

impl Service {
    #[cfg(not(fixed))]
    async fn is_latest(&self, key: &str, time: u64) -> bool {
        let latest = self.latest.lock().await;
        latest.get(key).is_none_or(|known| *known < time)
    }

    #[cfg(not(fixed))]
    pub async fn process(&self, key: &str, value: u64, time: u64) {
        if !self.is_latest(key, time).await {
            return;
        }
        self.storage.put(key, value).await;
        self.latest.lock().await.insert(key.to_owned(), time);
    }

    #[cfg(fixed)]
    pub async fn process(&self, key: &str, value: u64, time: u64) {
        let mut latest = self.latest.lock().await;
        if latest.get(key).is_some_and(|known| *known >= time) {
            return;
        }
        self.storage.put(key, value).await;
        latest.insert(key.to_owned(), time);
    }
}
