//! The oldest entry is chosen by `min_by_key`, and removed in another region.
//@ finding: Cache::make_room
use std::collections::HashMap;
use std::sync::RwLock;

struct Entry {
    used: u64,
    data: String,
}

#[derive(Default)]
pub struct Cache {
    entries: RwLock<HashMap<u32, Entry>>,
    capacity: usize,
}

impl Cache {
    pub fn get(&self, key: u32, now: u64) -> Option<String> {
        let mut entries = self.entries.write().unwrap();
        let entry = entries.get_mut(&key)?;
        entry.used = now;
        Some(entry.data.clone())
    }
    #[cfg(not(fixed))]
    fn oldest(&self) -> Option<u32> {
        let entries = self.entries.read().unwrap();
        if entries.len() < self.capacity {
            return None;
        }
        entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| *key)
    }
    #[cfg(not(fixed))]
    fn make_room(&self) {
        if let Some(key) = self.oldest() {
            self.entries.write().unwrap().remove(&key);
        }
    }
    #[cfg(fixed)]
    fn make_room(&self) {
        let mut entries = self.entries.write().unwrap();
        if entries.len() < self.capacity {
            return;
        }
        let oldest = entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| *key);
        if let Some(key) = oldest {
            entries.remove(&key);
        }
    }
    pub fn put(&self, key: u32, data: String, now: u64) {
        self.make_room();
        self.entries.write().unwrap().insert(key, Entry { used: now, data });
    }
}
