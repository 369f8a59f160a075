//! A cache loads what it misses, once for each key: a lock of the key is held
//! while it is loaded, and who waited for that looks again. Once nobody waited.
//@ finding: Cache::get
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Mutex, RwLock};

#[derive(Default)]
pub struct Cache {
    entries: RwLock<HashMap<String, Arc<str>>>,
    flights: Mutex<HashMap<String, Arc<Mutex<()>>>>,
}

async fn load(key: &str) -> Arc<str> {
    tokio::task::yield_now().await;
    key.into()
}

impl Cache {
    async fn flight(&self, key: &str) -> Arc<Mutex<()>> {
        let mut flights = self.flights.lock().await;
        flights.entry(key.to_owned()).or_default().clone()
    }

    pub async fn get(&self, key: &str) -> Arc<str> {
        if let Some(known) = self.entries.read().await.get(key) {
            return known.clone();
        }
        #[cfg(fixed)]
        let flight = self.flight(key).await;
        #[cfg(fixed)]
        let _flight = flight.lock().await;
        #[cfg(fixed)]
        if let Some(known) = self.entries.read().await.get(key) {
            return known.clone();
        }
        let loaded = load(key).await;
        let mut entries = self.entries.write().await;
        entries.insert(key.to_owned(), loaded.clone());
        loaded
    }
}
