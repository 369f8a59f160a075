//! COLT (Shacham et al., OOPSLA 2011), Figure 12 (vi): whether there is a value,
//! the insertion and the value are three sections. Now they are one.
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
    #[cfg(not(fixed))]
    pub fn compute(&self, key: u32) -> Option<u32> {
        let found = self.values.read().unwrap().contains_key(&key);
        if !found {
            let value = calculate(key);
            self.values.write().unwrap().entry(key).or_insert(value);
        }
        self.values.read().unwrap().get(&key).copied()
    }
    #[cfg(fixed)]
    pub fn compute(&self, key: u32) -> Option<u32> {
        let mut values = self.values.write().unwrap();
        if !values.contains_key(&key) {
            values.entry(key).or_insert(calculate(key));
        }
        values.get(&key).copied()
    }
    pub fn remove(&self, key: u32) {
        self.values.write().unwrap().remove(&key);
    }
}
