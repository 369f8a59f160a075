//! The store is behind a trait.
//@ finding: Throttle::allow
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
pub trait Store: Send + Sync {
    fn get(&self, key: &str) -> Option<u64>;
    fn set(&self, key: &str, value: u64);
    fn increment(&self, key: &str, limit: u64) -> bool;
}
pub struct MemoryStore {
    map: Mutex<HashMap<String, u64>>,
}
impl Store for MemoryStore {
    fn get(&self, key: &str) -> Option<u64> {
        self.map.lock().unwrap().get(key).copied()
    }
    fn set(&self, key: &str, value: u64) {
        self.map.lock().unwrap().insert(key.to_owned(), value);
    }
    fn increment(&self, key: &str, limit: u64) -> bool {
        let mut map = self.map.lock().unwrap();
        let count = map.entry(key.to_owned()).or_insert(0);
        if *count >= limit {
            return false;
        }
        *count += 1;
        true
    }
}
pub struct Throttle {
    store: Arc<dyn Store>,
    limit: u64,
}
impl Throttle {
    pub fn new(limit: u64) -> Throttle {
        Throttle {
            store: Arc::new(MemoryStore {
                map: Mutex::default(),
            }),
            limit,
        }
    }
    #[cfg(not(fixed))]
    pub fn allow(&self, key: &str) -> bool {
        let count = self.store.get(key).unwrap_or(0);
        if count >= self.limit {
            return false;
        }
        self.store.set(key, count + 1);
        true
    }
    #[cfg(fixed)]
    pub fn allow(&self, key: &str) -> bool {
        self.store.increment(key, self.limit)
    }
}
