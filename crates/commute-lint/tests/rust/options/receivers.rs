//! Two accounts are two variables: what is known of one says nothing about the
//! other, and that is all there is to say. Without the option they are one.
//@ depends: hand_over
//@ remains: withdraw
use std::sync::Mutex;
pub struct Account {
    balance: Mutex<i64>,
}
impl Account {
    pub fn hand_over(&self, other: &Account) {
        let amount = *self.balance.lock().unwrap();
        *other.balance.lock().unwrap() = amount;
    }
    pub fn withdraw(&self, amount: i64) -> bool {
        if *self.balance.lock().unwrap() < amount {
            return false;
        }
        *self.balance.lock().unwrap() -= amount;
        true
    }
}
