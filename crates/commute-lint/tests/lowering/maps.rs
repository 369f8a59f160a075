//! Operations of collections in a lock, and elements.

use std::collections::HashMap;
use std::sync::Mutex;

pub struct Cache {
    map: Mutex<HashMap<u32, String>>,
    list: Mutex<Vec<u32>>,
}

impl Cache {
    pub fn get_or_insert(&self, key: u32) -> Option<String> {
        let mut map = self.map.lock().unwrap();
        if map.contains_key(&key) {
            return map.get(&key).cloned();
        }
        map.insert(key, String::new())
    }

    pub fn entry(&self, key: u32) {
        let mut map = self.map.lock().unwrap();
        map.entry(key).or_default().push('x');
        map.remove(&key);
    }

    pub fn indexed(&self, at: usize) -> u32 {
        let mut list = self.list.lock().unwrap();
        let pair = [1, 2];
        list[at] = pair[at];
        list[0]
    }
}
