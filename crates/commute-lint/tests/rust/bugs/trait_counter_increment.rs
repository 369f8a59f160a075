//! A generic function over a store with `get` and `set`, each with the lock.
//@ finding: increment
use std::collections::HashMap;
use std::sync::Mutex;

pub trait KeyValue {
    fn get(&self, key: &str) -> Option<i64>;
    fn set(&self, key: &str, value: i64);
    fn add(&self, key: &str, by: i64) -> i64;
}

#[derive(Default)]
pub struct MemoryStore {
    values: Mutex<HashMap<String, i64>>,
}

impl KeyValue for MemoryStore {
    fn get(&self, key: &str) -> Option<i64> {
        self.values.lock().unwrap().get(key).copied()
    }
    fn set(&self, key: &str, value: i64) {
        let mut values = self.values.lock().unwrap();
        values.insert(key.to_owned(), value);
    }
    fn add(&self, key: &str, by: i64) -> i64 {
        let mut values = self.values.lock().unwrap();
        let value = values.entry(key.to_owned()).or_insert(0);
        *value += by;
        *value
    }
}

#[cfg(not(fixed))]
pub fn increment<S: KeyValue>(store: &S, key: &str) -> i64 {
    let next = store.get(key).unwrap_or_default() + 1;
    store.set(key, next);
    next
}

#[cfg(fixed)]
pub fn increment<S: KeyValue>(store: &S, key: &str) -> i64 {
    store.add(key, 1)
}

pub struct PageViews {
    store: MemoryStore,
}

impl PageViews {
    pub fn new() -> PageViews {
        PageViews {
            store: MemoryStore::default(),
        }
    }
    pub fn viewed(&self, page: &str) -> i64 {
        increment(&self.store, page)
    }
    pub fn views(&self, page: &str) -> i64 {
        self.store.get(page).unwrap_or(0)
    }
}
