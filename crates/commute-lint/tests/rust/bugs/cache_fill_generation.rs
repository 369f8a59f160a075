//! A store has a cache before its database. A reader that misses reads the
//! database without a lock and puts the value into the cache; a writer that
//! invalidates and writes in between leaves the old value there for good. A
//! count of writes is now compared before the value is put.
//@ finding: Store::get
use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

#[derive(Default)]
struct Cache {
    values: HashMap<u64, Arc<str>>,
    generation: u64,
}

#[derive(Default)]
pub struct Store {
    database: RwLock<HashMap<u64, String>>,
    cache: Mutex<Cache>,
}

impl Store {
    fn read_database(&self, key: u64) -> Option<Arc<str>> {
        let database = self.database.read().unwrap();
        database.get(&key).map(|value| value.as_str().into())
    }

    #[cfg(not(fixed))]
    pub fn get(&self, key: u64) -> Option<Arc<str>> {
        if let Some(value) = self.cache.lock().unwrap().values.get(&key) {
            return Some(value.clone());
        }
        let value = self.read_database(key)?;
        let mut cache = self.cache.lock().unwrap();
        cache.values.insert(key, value.clone());
        Some(value)
    }

    #[cfg(fixed)]
    pub fn get(&self, key: u64) -> Option<Arc<str>> {
        let generation = {
            let cache = self.cache.lock().unwrap();
            if let Some(value) = cache.values.get(&key) {
                return Some(value.clone());
            }
            cache.generation
        };
        let value = self.read_database(key)?;
        let mut cache = self.cache.lock().unwrap();
        if cache.generation == generation {
            cache.values.insert(key, value.clone());
        }
        Some(value)
    }

    pub fn put(&self, key: u64, value: String) {
        self.database.write().unwrap().insert(key, value);
        let mut cache = self.cache.lock().unwrap();
        cache.generation += 1;
        cache.values.remove(&key);
    }
}
