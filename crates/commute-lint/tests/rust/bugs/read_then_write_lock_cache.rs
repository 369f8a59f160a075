//! A registry of metrics, as client libraries have: looked up under the read lock, made under the write lock.
//@ finding: Registry::get_or_create
use std::collections::HashMap;
use std::sync::{Arc, RwLock};
pub struct Counter {
    pub value: std::sync::atomic::AtomicU64,
}
pub struct Registry {
    counters: RwLock<HashMap<String, Arc<Counter>>>,
}
impl Registry {
    #[cfg(not(fixed))]
    pub fn get_or_create(&self, name: &str) -> Arc<Counter> {
        if let Some(counter) = self.counters.read().unwrap().get(name) {
            return counter.clone();
        }
        let counter = Arc::new(Counter { value: 0.into() });
        self.counters
            .write()
            .unwrap()
            .insert(name.to_string(), counter.clone());
        counter
    }
    #[cfg(fixed)]
    pub fn get_or_create(&self, name: &str) -> Arc<Counter> {
        if let Some(counter) = self.counters.read().unwrap().get(name) {
            return counter.clone();
        }
        let mut counters = self.counters.write().unwrap();
        counters
            .entry(name.to_string())
            .or_insert_with(|| Arc::new(Counter { value: 0.into() }))
            .clone()
    }
}
