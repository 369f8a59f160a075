//! generic cache get or load.
//@ finding: Cache::get_or_load
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;
pub struct Cache<K, V> {
    map: Mutex<HashMap<K, V>>,
    capacity: usize,
}
impl<K: Hash + Eq + Clone, V: Clone> Cache<K, V> {
    #[cfg(not(fixed))]
    pub fn get_or_load<F: FnOnce(&K) -> V>(&self, key: K, load: F) -> V {
        let cached = self.map.lock().unwrap().get(&key).cloned();
        if let Some(value) = cached {
            return value;
        }
        let value = load(&key);
        self.map.lock().unwrap().insert(key, value.clone());
        value
    }
    #[cfg(fixed)]
    pub fn get_or_load<F: FnOnce(&K) -> V>(&self, key: K, load: F) -> V {
        let mut map = self.map.lock().unwrap();
        if let Some(value) = map.get(&key) {
            return value.clone();
        }
        let value = load(&key);
        if map.len() < self.capacity {
            map.insert(key, value.clone());
        }
        value
    }
}
