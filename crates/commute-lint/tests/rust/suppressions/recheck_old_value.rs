//! Looked at again, but what is written was computed from the first look.
//@ suppression: Recheck
//@ finding: withdraw
use std::sync::Mutex;
pub struct Account {
    balance: Mutex<u64>,
}
fn is_approved(amount: u64) -> bool {
    amount % 2 == 0
}
impl Account {
    pub fn withdraw(&self, amount: u64) -> bool {
        let seen = *self.balance.lock().unwrap();
        if seen < amount || !is_approved(amount) {
            return false;
        }
        let rest = seen - amount;
        let mut balance = self.balance.lock().unwrap();
        if *balance < amount {
            return false;
        }
        #[cfg(not(fixed))]
        {
            *balance = rest;
        }
        #[cfg(fixed)]
        {
            *balance -= amount;
        }
        true
    }
    pub fn deposit(&self, amount: u64) {
        *self.balance.lock().unwrap() += amount;
    }
}
