//! An order is open, is found again, and shipped though it was cancelled.
//@ finding: Orders::ship
use std::collections::HashMap;
use std::sync::Mutex;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Open,
    Shipped,
    Cancelled,
}

pub struct Order {
    state: State,
    address: String,
}

#[derive(Default)]
pub struct Orders {
    orders: Mutex<HashMap<u64, Order>>,
}

impl Orders {
    pub fn place(&self, id: u64, address: &str) {
        let order = Order { state: State::Open, address: address.to_owned() };
        self.orders.lock().unwrap().insert(id, order);
    }
    pub fn cancel(&self, id: u64) -> bool {
        match self.orders.lock().unwrap().get_mut(&id) {
            Some(order) if order.state == State::Open => {
                order.state = State::Cancelled;
                true
            }
            _ => false,
        }
    }
    fn state(&self, id: u64) -> Option<State> {
        Some(self.orders.lock().unwrap().get(&id)?.state)
    }
    #[cfg(not(fixed))]
    pub fn ship(&self, id: u64) -> Option<String> {
        if self.state(id) != Some(State::Open) {
            return None;
        }
        let mut orders = self.orders.lock().unwrap();
        let order = orders.get_mut(&id)?;
        order.state = State::Shipped;
        Some(order.address.clone())
    }
    #[cfg(fixed)]
    pub fn ship(&self, id: u64) -> Option<String> {
        let mut orders = self.orders.lock().unwrap();
        let order = orders.get_mut(&id)?;
        if order.state != State::Open {
            return None;
        }
        order.state = State::Shipped;
        Some(order.address.clone())
    }
}
