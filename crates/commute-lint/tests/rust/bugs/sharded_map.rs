//! sharded map.
//@ finding: Sharded::insert_if_absent
use std::collections::HashMap;
use std::sync::RwLock;
pub struct Sharded {
    shards: Vec<RwLock<HashMap<u64, String>>>,
}
impl Sharded {
    fn shard(&self, key: u64) -> &RwLock<HashMap<u64, String>> {
        &self.shards[key as usize % self.shards.len()]
    }
    #[cfg(not(fixed))]
    pub fn insert_if_absent(&self, key: u64, value: String) -> bool {
        let shard = self.shard(key);
        if shard.read().unwrap().contains_key(&key) {
            return false;
        }
        shard.write().unwrap().insert(key, value);
        true
    }
    #[cfg(fixed)]
    pub fn insert_if_absent(&self, key: u64, value: String) -> bool {
        let mut shard = self.shard(key).write().unwrap();
        if shard.contains_key(&key) {
            return false;
        }
        shard.insert(key, value);
        true
    }
}
