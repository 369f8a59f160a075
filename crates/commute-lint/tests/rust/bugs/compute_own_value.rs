//! COLT (Shacham et al., OOPSLA 2011), Figure 12 (v): the value that was computed
//! is returned, although another thread's may be in the map. Now it is the one
//! that is in the map, Figure 12 (ii).
//@ finding: Cache::compute
use std::collections::HashMap;
use std::sync::RwLock;
pub struct Cache {
    values: RwLock<HashMap<u32, u32>>,
}
fn calculate(key: u32) -> u32 {
    key.wrapping_mul(7) ^ 3
}
impl Cache {
    pub fn compute(&self, key: u32) -> u32 {
        if let Some(value) = self.values.read().unwrap().get(&key) {
            return *value;
        }
        let value = calculate(key);
        #[cfg(not(fixed))]
        {
            self.values.write().unwrap().entry(key).or_insert(value);
            value
        }
        #[cfg(fixed)]
        *self.values.write().unwrap().entry(key).or_insert(value)
    }
    pub fn remove(&self, key: u32) {
        self.values.write().unwrap().remove(&key);
    }
}
