//! Connections of a database tool (rdb #290): to disconnect, the driver is
//! fetched, its query cancelled, and the entry removed by its id. A connection
//! made again meanwhile is removed. It must be the same driver now.
//@ finding: disconnect
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Mutex, RwLock};

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ConnectionId(pub String);

pub struct Driver {
    running: Mutex<Option<u64>>,
    url: String,
}

impl Driver {
    async fn connect(url: &str) -> Result<Arc<Driver>, String> {
        tokio::task::yield_now().await;
        if url.is_empty() {
            return Err("no url".to_owned());
        }
        Ok(Arc::new(Driver {
            running: Mutex::new(None),
            url: url.to_owned(),
        }))
    }
    async fn cancel(&self) {
        self.running.lock().await.take();
    }
    pub fn url(&self) -> &str {
        &self.url
    }
}

#[derive(Clone, Default)]
pub struct Pool {
    drivers: Arc<RwLock<HashMap<ConnectionId, Arc<Driver>>>>,
}

impl Pool {
    async fn lookup(&self, id: &ConnectionId) -> Option<Arc<Driver>> {
        self.drivers.read().await.get(id).cloned()
    }

    pub async fn connect(&self, id: ConnectionId, url: &str) -> Result<Arc<Driver>, String> {
        let driver = Driver::connect(url).await?;
        self.drivers.write().await.insert(id, driver.clone());
        Ok(driver)
    }

    pub async fn disconnect(&self, id: &ConnectionId) -> bool {
        let Some(driver) = self.lookup(id).await else {
            return false;
        };
        driver.cancel().await;
        let mut drivers = self.drivers.write().await;
        #[cfg(not(fixed))]
        let removed = drivers.remove(id).is_some();
        #[cfg(fixed)]
        let removed = match drivers.get(id) {
            Some(current) if Arc::ptr_eq(current, &driver) => drivers.remove(id).is_some(),
            _ => false,
        };
        removed
    }
}
