//! Who asks for a key that is gone gets nothing; who is sure of it panics.
//@ suppression: Lookup
//@ finding: total
use std::collections::BTreeMap;
use std::sync::RwLock;
pub struct Orders {
    open: RwLock<BTreeMap<u32, u64>>,
}
impl Orders {
    pub fn total(&self) -> u64 {
        let numbers: Vec<u32> = self.open.read().unwrap().keys().copied().collect();
        let mut total = 0;
        for number in numbers {
            #[cfg(not(fixed))]
            {
                total += self.open.read().unwrap()[&number];
            }
            #[cfg(fixed)]
            if let Some(amount) = self.open.read().unwrap().get(&number) {
                total += amount;
            }
        }
        total
    }
    pub fn close(&self, number: u32) {
        self.open.write().unwrap().remove(&number);
    }
}
