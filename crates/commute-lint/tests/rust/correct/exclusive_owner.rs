//! Exclusive owner, as far as the cases use it.
use std::collections::HashMap;
use std::sync::Mutex;
pub struct Owner {
    map: Mutex<HashMap<u32, u32>>,
    total: u32,
}
impl Owner {
    pub fn add(&mut self, key: u32) -> u32 {
        let known = self.map.lock().unwrap().contains_key(&key);
        if !known {
            self.map.lock().unwrap().insert(key, self.total);
            self.total += 1;
        }
        self.total
    }
}
