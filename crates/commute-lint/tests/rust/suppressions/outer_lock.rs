//! Who changes prices has the gate: alone, or together with others who do.
//@ suppression: OuterLock
//@ finding: raise
use std::collections::HashMap;
use std::sync::{Mutex, RwLock};
pub struct Shop {
    gate: RwLock<()>,
    prices: Mutex<HashMap<u32, u64>>,
}
fn raised(price: u64) -> u64 {
    price + price / 10
}
impl Shop {
    pub fn raise(&self, item: u32) {
        #[cfg(not(fixed))]
        let _gate = self.gate.read().unwrap();
        #[cfg(fixed)]
        let _gate = self.gate.write().unwrap();
        let Some(price) = self.prices.lock().unwrap().get(&item).copied() else {
            return;
        };
        let price = raised(price);
        self.prices.lock().unwrap().insert(item, price);
    }
    pub fn price(&self, item: u32) -> Option<u64> {
        self.prices.lock().unwrap().get(&item).copied()
    }
}
