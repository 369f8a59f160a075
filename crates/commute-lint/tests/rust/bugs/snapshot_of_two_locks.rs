//! Stock and reservations are moved together under both locks, and read apart.
//@ finding: Shop::total
use std::sync::Mutex;

#[derive(Default)]
pub struct Shop {
    stock: Mutex<u64>,
    reserved: Mutex<u64>,
}

impl Shop {
    pub fn deliver(&self, amount: u64) {
        *self.stock.lock().unwrap() += amount;
    }
    pub fn reserve(&self, amount: u64) -> bool {
        let mut stock = self.stock.lock().unwrap();
        if *stock < amount {
            return false;
        }
        let mut reserved = self.reserved.lock().unwrap();
        *stock -= amount;
        *reserved += amount;
        true
    }
    #[cfg(not(fixed))]
    pub fn total(&self) -> u64 {
        self.stock() + self.reserved()
    }
    #[cfg(fixed)]
    pub fn total(&self) -> u64 {
        let stock = self.stock.lock().unwrap();
        let reserved = self.reserved.lock().unwrap();
        *stock + *reserved
    }
    pub fn stock(&self) -> u64 {
        *self.stock.lock().unwrap()
    }
    pub fn reserved(&self) -> u64 {
        *self.reserved.lock().unwrap()
    }
}
