//! Metrics counters, as far as the cases use it.
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
#[derive(Default)]
pub struct Metrics {
    hits: AtomicU64,
    misses: AtomicU64,
    evictions: AtomicU64,
}
pub struct Cache {
    map: Mutex<std::collections::HashMap<u32, u32>>,
    metrics: Metrics,
}
impl Cache {
    pub fn get(&self, key: u32) -> Option<u32> {
        let found = self.map.lock().unwrap().get(&key).copied();
        if found.is_some() {
            self.metrics.hits.fetch_add(1, Relaxed);
        } else {
            self.metrics.misses.fetch_add(1, Relaxed);
        }
        found
    }
    pub fn evict(&self, key: u32) {
        if self.map.lock().unwrap().remove(&key).is_some() {
            self.metrics.evictions.fetch_add(1, Relaxed);
        }
    }
    pub fn report(&self) -> String {
        format!(
            "{} {} {}",
            self.metrics.hits.load(Relaxed),
            self.metrics.misses.load(Relaxed),
            self.metrics.evictions.load(Relaxed)
        )
    }
    pub fn put(&self, key: u32, value: u32) {
        self.map.lock().unwrap().insert(key, value);
    }
}
