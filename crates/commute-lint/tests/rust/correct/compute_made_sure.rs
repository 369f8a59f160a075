//! `entry` decides at once, and nothing else is made of what was seen before: that
//! there is a value, and no more, is what callers get.
use std::collections::HashMap;
use std::sync::RwLock;
pub struct Cache {
    values: RwLock<HashMap<u32, u32>>,
    never_removed: RwLock<HashMap<u32, u32>>,
}
fn calculate(key: u32) -> Result<u32, String> {
    key.checked_mul(7).ok_or_else(|| key.to_string())
}
impl Cache {
    pub fn make_sure(&self, key: u32) -> Result<(), String> {
        if self.values.read().unwrap().contains_key(&key) {
            return Ok(());
        }
        let value = calculate(key)?;
        self.values.write().unwrap().entry(key).or_insert(value);
        Ok(())
    }
    pub fn make_sure_and_count(&self, key: u32) -> u32 {
        if self.values.read().unwrap().get(&key).is_none() {
            self.values.write().unwrap().entry(key).or_default();
        }
        key + 1
    }
    pub fn remove(&self, key: u32) {
        self.values.write().unwrap().remove(&key);
    }
    /// What is inserted stays, so there is one answer for all.
    pub fn look_again(&self, key: u32) -> Option<u32> {
        let known = self.never_removed.read().unwrap().contains_key(&key);
        if !known {
            self.never_removed.write().unwrap().entry(key).or_insert(key ^ 3);
        }
        self.never_removed.read().unwrap().get(&key).copied()
    }
}
