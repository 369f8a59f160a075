//! COLT (Shacham et al., OOPSLA 2011), Figure 12 (iv): the value is asked for a
//! second time, when another thread may have removed it. Now it is the one that
//! was in the map when it was inserted.
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
        let value = self.values.read().unwrap().get(&key).copied();
        if value.is_none() {
            let value = calculate(key);
            self.values.write().unwrap().entry(key).or_insert(value);
        }
        self.values.read().unwrap().get(&key).copied()
    }
    #[cfg(fixed)]
    pub fn compute(&self, key: u32) -> Option<u32> {
        let value = self.values.read().unwrap().get(&key).copied();
        if value.is_some() {
            return value;
        }
        let value = calculate(key);
        Some(*self.values.write().unwrap().entry(key).or_insert(value))
    }
    pub fn remove(&self, key: u32) {
        self.values.write().unwrap().remove(&key);
    }
}
