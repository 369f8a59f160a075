//! capacity then insert.
//@ finding: Peers::add
use std::collections::HashMap;
use std::sync::RwLock;
pub struct Peers {
    map: RwLock<HashMap<String, u32>>,
    max: usize,
}
impl Peers {
    pub fn count(&self) -> usize {
        self.map.read().unwrap().len()
    }
    #[cfg(not(fixed))]
    pub fn add(&self, address: String, version: u32) -> bool {
        if self.count() >= self.max {
            return false;
        }
        self.map.write().unwrap().insert(address, version);
        true
    }
    #[cfg(fixed)]
    pub fn add(&self, address: String, version: u32) -> bool {
        let mut map = self.map.write().unwrap();
        if map.len() >= self.max {
            return false;
        }
        map.insert(address, version);
        true
    }
    pub fn remove(&self, address: &str) {
        self.map.write().unwrap().remove(address);
    }
}
