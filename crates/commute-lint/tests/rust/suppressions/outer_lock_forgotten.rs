//! One of those who write has forgotten the gate.
//@ suppression: OuterLock
//@ finding: withdraw
use std::sync::Mutex;
pub struct Account {
    gate: Mutex<()>,
    balance: Mutex<i64>,
}
fn fee(amount: i64) -> i64 {
    amount / 100
}
impl Account {
    pub fn withdraw(&self, amount: i64) -> bool {
        let _gate = self.gate.lock().unwrap();
        let balance = *self.balance.lock().unwrap();
        if balance < amount {
            return false;
        }
        let rest = balance - amount - fee(amount);
        *self.balance.lock().unwrap() = rest;
        true
    }
    pub fn deposit(&self, amount: i64) {
        #[cfg(fixed)]
        let _gate = self.gate.lock().unwrap();
        *self.balance.lock().unwrap() += amount;
    }
}
