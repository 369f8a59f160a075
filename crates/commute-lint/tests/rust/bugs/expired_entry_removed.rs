//! The entry is found old, somebody refreshes it, the new one is removed.
//@ finding: Cache::get
use std::collections::HashMap;
use std::sync::RwLock;
use std::time::{Duration, Instant};
struct Entry {
    value: String,
    at: Instant,
}
pub struct Cache {
    map: RwLock<HashMap<String, Entry>>,
    ttl: Duration,
}
impl Cache {
    pub fn put(&self, key: &str, value: &str) {
        self.map.write().unwrap().insert(
            key.to_owned(),
            Entry {
                value: value.to_owned(),
                at: Instant::now(),
            },
        );
    }
    #[cfg(not(fixed))]
    pub fn get(&self, key: &str) -> Option<String> {
        let expired = {
            let map = self.map.read().unwrap();
            let entry = map.get(key)?;
            if entry.at.elapsed() < self.ttl {
                return Some(entry.value.clone());
            }
            true
        };
        if expired {
            self.map.write().unwrap().remove(key);
        }
        None
    }
    #[cfg(fixed)]
    pub fn get(&self, key: &str) -> Option<String> {
        {
            let map = self.map.read().unwrap();
            let entry = map.get(key)?;
            if entry.at.elapsed() < self.ttl {
                return Some(entry.value.clone());
            }
        }
        let mut map = self.map.write().unwrap();
        if let Some(entry) = map.get(key) {
            if entry.at.elapsed() >= self.ttl {
                map.remove(key);
            }
        }
        None
    }
}
