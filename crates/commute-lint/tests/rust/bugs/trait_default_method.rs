//! A default method of a trait reads and writes through two others.
//@ finding: Account::charge
use std::sync::Mutex;

pub trait Account {
    fn balance(&self) -> i64;
    fn set_balance(&self, to: i64);
    fn subtract(&self, amount: i64) -> bool;
    #[cfg(not(fixed))]
    fn charge(&self, amount: i64) -> bool {
        let balance = self.balance();
        if balance < amount {
            return false;
        }
        self.set_balance(balance - amount);
        true
    }
    #[cfg(fixed)]
    fn charge(&self, amount: i64) -> bool {
        self.subtract(amount)
    }
}

#[derive(Default)]
pub struct Customer {
    balance: Mutex<i64>,
}

impl Account for Customer {
    fn balance(&self) -> i64 {
        *self.balance.lock().unwrap()
    }
    fn set_balance(&self, to: i64) {
        *self.balance.lock().unwrap() = to;
    }
    fn subtract(&self, amount: i64) -> bool {
        let mut balance = self.balance.lock().unwrap();
        let enough = *balance >= amount;
        if enough {
            *balance -= amount;
        }
        enough
    }
}

pub struct Till {
    customer: Customer,
}

impl Till {
    pub fn sell(&self, price: i64) -> bool {
        self.customer.charge(price)
    }
}
