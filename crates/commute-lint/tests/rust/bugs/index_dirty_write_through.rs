//! The index of accounts writes entries that have changed to disk and marks
//! them as clean. The list of an entry is copied under the read lock; an update
//! that comes before the mark is set is marked as clean with it and is lost
//! when the entry is evicted. The read lock is now held until the mark is set.
//@ finding: Index::write_through
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock};

#[derive(Default)]
pub struct Entry {
    slots: RwLock<Vec<u64>>,
    dirty: AtomicBool,
}

impl Entry {
    pub fn update(&self, slot: u64) {
        let mut slots = self.slots.write().unwrap();
        slots.push(slot);
        self.dirty.store(true, Ordering::Release);
    }
}

#[derive(Default)]
pub struct Index {
    entries: Mutex<HashMap<u64, Arc<Entry>>>,
    disk: Mutex<HashMap<u64, Vec<u64>>>,
}

impl Index {
    pub fn get(&self, key: u64) -> Arc<Entry> {
        self.entries.lock().unwrap().entry(key).or_default().clone()
    }

    #[cfg(not(fixed))]
    pub fn write_through(&self, key: u64, entry: &Entry) {
        if !entry.dirty.load(Ordering::Acquire) {
            return;
        }
        let slots = entry.slots.read().unwrap().clone();
        self.disk.lock().unwrap().insert(key, slots);
        entry.dirty.store(false, Ordering::Release);
    }

    #[cfg(fixed)]
    pub fn write_through(&self, key: u64, entry: &Entry) {
        let slots = entry.slots.read().unwrap();
        if !entry.dirty.load(Ordering::Acquire) {
            return;
        }
        self.disk.lock().unwrap().insert(key, slots.clone());
        entry.dirty.store(false, Ordering::Release);
    }
}
