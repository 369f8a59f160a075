//! A count goes down by `fetch_update`, and up by `fetch_add`.
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Inventory {
    stock: AtomicU32,
    reserved: AtomicU32,
}

pub struct Reservation<'a> {
    inventory: &'a Inventory,
    amount: u32,
}

impl Inventory {
    pub fn new(stock: u32) -> Inventory {
        Inventory {
            stock: AtomicU32::new(stock),
            reserved: AtomicU32::new(0),
        }
    }
    pub fn reserve(&self, amount: u32) -> Option<Reservation<'_>> {
        self.stock
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |stock| {
                stock.checked_sub(amount)
            })
            .ok()?;
        self.reserved.fetch_add(amount, Ordering::Relaxed);
        Some(Reservation {
            inventory: self,
            amount,
        })
    }
    pub fn restock(&self, amount: u32) {
        self.stock.fetch_add(amount, Ordering::AcqRel);
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let inventory = self.inventory;
        inventory.reserved.fetch_sub(self.amount, Ordering::Relaxed);
        inventory.stock.fetch_add(self.amount, Ordering::AcqRel);
    }
}
