//! The index of accounts is kept in memory and on disk (solana #20255): the
//! background flush copies an entry under the read lock and writes it to disk
//! afterwards. A delete in between removes it from both, and it comes back. The
//! read lock is now held while it is written.
//@ finding: InMemAccountsIndex::flush_internal
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};

pub type Key = u64;
pub type SlotList = Vec<(u64, u64)>;

#[derive(Default)]
pub struct Bucket {
    disk: RwLock<HashMap<Key, SlotList>>,
}

impl Bucket {
    pub fn try_write(&self, key: &Key, slots: &[(u64, u64)]) {
        self.disk.write().unwrap().insert(*key, slots.to_vec());
    }
    pub fn delete_key(&self, key: &Key) {
        self.disk.write().unwrap().remove(key);
    }
    pub fn read(&self, key: &Key) -> Option<SlotList> {
        self.disk.read().unwrap().get(key).cloned()
    }
}

pub struct Entry {
    slots: RwLock<SlotList>,
    dirty: AtomicBool,
}

pub struct InMemAccountsIndex {
    map: RwLock<HashMap<Key, Arc<Entry>>>,
    bucket: Option<Arc<Bucket>>,
}

impl InMemAccountsIndex {
    pub fn remove(&self, key: &Key) {
        let mut map = self.map.write().unwrap();
        map.remove(key);
        if let Some(bucket) = &self.bucket {
            bucket.delete_key(key);
        }
    }

    pub fn get(&self, key: &Key) -> Option<SlotList> {
        let map = self.map.read().unwrap();
        match map.get(key) {
            Some(entry) => Some(entry.slots.read().unwrap().clone()),
            None => self.bucket.as_ref()?.read(key),
        }
    }

    fn flush_internal(&self) -> usize {
        let Some(bucket) = &self.bucket else {
            return 0;
        };
        let mut flushed = 0;
        #[cfg(not(fixed))]
        let dirty: Vec<(Key, Arc<Entry>)> = {
            let map = self.map.read().unwrap();
            let dirty = map.iter().filter(|(_, e)| e.dirty.load(Ordering::Acquire));
            dirty.map(|(key, entry)| (*key, entry.clone())).collect()
        };
        #[cfg(fixed)]
        let map = self.map.read().unwrap();
        #[cfg(fixed)]
        let dirty = map.iter().filter(|(_, e)| e.dirty.load(Ordering::Acquire));
        for (key, entry) in dirty {
            entry.dirty.store(false, Ordering::Release);
            bucket.try_write(&key, &entry.slots.read().unwrap());
            flushed += 1;
        }
        flushed
    }

    pub fn flush(&self) -> usize {
        self.flush_internal()
    }

    pub fn upsert(&self, key: Key, slot: u64, offset: u64) {
        let mut map = self.map.write().unwrap();
        let entry = map.entry(key).or_insert_with(|| {
            Arc::new(Entry {
                slots: RwLock::default(),
                dirty: AtomicBool::new(false),
            })
        });
        entry.slots.write().unwrap().push((slot, offset));
        entry.dirty.store(true, Ordering::Release);
    }
}
