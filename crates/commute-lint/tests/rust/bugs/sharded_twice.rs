//! sharded twice.
//@ finding: Sharded::update
use std::collections::HashMap;
use std::sync::Mutex;
pub struct Sharded {
    shards: Box<[Mutex<HashMap<u64, u64>>]>,
}
impl Sharded {
    fn index(&self, key: u64) -> usize {
        key as usize & (self.shards.len() - 1)
    }
    #[cfg(not(fixed))]
    pub fn update(&self, key: u64, f: impl Fn(u64) -> u64) {
        let old = self.shards[self.index(key)]
            .lock()
            .unwrap()
            .get(&key)
            .copied()
            .unwrap_or_default();
        let new = f(old);
        self.shards[self.index(key)]
            .lock()
            .unwrap()
            .insert(key, new);
    }
    #[cfg(fixed)]
    pub fn update(&self, key: u64, f: impl Fn(u64) -> u64) {
        let mut shard = self.shards[self.index(key)].lock().unwrap();
        let value = shard.entry(key).or_default();
        *value = f(*value);
    }
}
