//! get set helpers.
//@ finding: Account::deposit
use std::sync::Mutex;
pub struct Account {
    balance: Mutex<i64>,
}
impl Account {
    pub fn balance(&self) -> i64 {
        *self.balance.lock().unwrap()
    }
    fn set_balance(&self, value: i64) {
        *self.balance.lock().unwrap() = value;
    }
    #[cfg(not(fixed))]
    pub fn deposit(&self, amount: i64) {
        let balance = self.balance();
        self.set_balance(balance + amount);
    }
    #[cfg(fixed)]
    pub fn deposit(&self, amount: i64) {
        *self.balance.lock().unwrap() += amount;
    }
    pub fn reset(&self) {
        self.set_balance(0)
    }
}
