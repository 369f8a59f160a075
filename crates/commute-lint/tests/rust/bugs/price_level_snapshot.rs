//! A level of an order book counts its quantity beside the queue of orders. A
//! snapshot takes the counts first and the orders afterwards: the sum is not
//! that of the orders that it comes with, and its checksum fails later. It is
//! now computed from the orders.
//@ finding: PriceLevel::snapshot
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

#[derive(Clone)]
pub struct Order {
    pub id: u64,
    pub quantity: u64,
}

pub struct Snapshot {
    pub quantity: u64,
    pub count: usize,
    pub orders: Vec<Order>,
}

#[derive(Default)]
pub struct PriceLevel {
    quantity: AtomicU64,
    count: AtomicUsize,
    orders: Mutex<Vec<Order>>,
}

impl PriceLevel {
    pub fn add(&self, order: Order) {
        let mut orders = self.orders.lock().unwrap();
        self.quantity.fetch_add(order.quantity, Ordering::AcqRel);
        self.count.fetch_add(1, Ordering::AcqRel);
        orders.push(order);
    }

    pub fn quantity(&self) -> u64 {
        self.quantity.load(Ordering::Acquire)
    }

    pub fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    fn orders(&self) -> Vec<Order> {
        self.orders.lock().unwrap().clone()
    }

    #[cfg(not(fixed))]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            quantity: self.quantity(),
            count: self.count(),
            orders: self.orders(),
        }
    }

    #[cfg(fixed)]
    pub fn snapshot(&self) -> Snapshot {
        let orders = self.orders();
        Snapshot {
            quantity: orders.iter().map(|order| order.quantity).sum(),
            count: orders.len(),
            orders,
        }
    }
}
