//! The place of a key in the order is found, and the order changed later.
//@ finding: LruCache::get
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, RwLock};

pub struct LruCache {
    capacity: usize,
    entries: RwLock<HashMap<u64, String>>,
    order: Mutex<VecDeque<u64>>,
}

impl LruCache {
    pub fn with_capacity(capacity: usize) -> LruCache {
        LruCache {
            capacity,
            entries: RwLock::new(HashMap::with_capacity(capacity)),
            order: Mutex::new(VecDeque::new()),
        }
    }
    #[cfg(not(fixed))]
    pub fn get(&self, key: u64) -> Option<String> {
        let value = self.entries.read().unwrap().get(&key).cloned()?;
        let position = {
            let order = self.order.lock().unwrap();
            order.iter().position(|&other| other == key)
        };
        if let Some(position) = position {
            let mut order = self.order.lock().unwrap();
            order.remove(position);
            order.push_back(key);
        }
        Some(value)
    }
    #[cfg(fixed)]
    pub fn get(&self, key: u64) -> Option<String> {
        let value = self.entries.read().unwrap().get(&key).cloned()?;
        let mut order = self.order.lock().unwrap();
        if let Some(position) = order.iter().position(|&other| other == key) {
            order.remove(position);
            order.push_back(key);
        }
        Some(value)
    }
    pub fn put(&self, key: u64, value: String) {
        let mut entries = self.entries.write().unwrap();
        let mut order = self.order.lock().unwrap();
        if entries.insert(key, value).is_none() {
            order.push_back(key);
        }
        while order.len() > self.capacity {
            if let Some(oldest) = order.pop_front() {
                entries.remove(&oldest);
            }
        }
    }
}
