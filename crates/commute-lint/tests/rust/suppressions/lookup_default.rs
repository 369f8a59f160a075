//! `unwrap_or` copes with a key that is gone, `expect` does not.
//@ suppression: Lookup
//@ finding: sum
use std::collections::HashMap;
use std::sync::Mutex;
pub struct Stock {
    items: Mutex<HashMap<u32, u64>>,
}
impl Stock {
    pub fn sum(&self) -> u64 {
        let names: Vec<u32> = self.items.lock().unwrap().keys().copied().collect();
        let mut sum = 0;
        for name in names {
            let items = self.items.lock().unwrap();
            #[cfg(not(fixed))]
            let count = items.get(&name).copied().expect("it is there");
            #[cfg(fixed)]
            let count = items.get(&name).copied().unwrap_or(0);
            sum += count;
        }
        sum
    }
    pub fn sell_all(&self, name: u32) {
        self.items.lock().unwrap().remove(&name);
    }
}
