//! withdraw check helper.
//@ finding: Account::withdraw
use std::sync::Mutex;
pub struct Account {
    balance: Mutex<u64>,
}
impl Account {
    pub fn balance(&self) -> u64 {
        *self.balance.lock().unwrap()
    }
    pub fn deposit(&self, amount: u64) {
        *self.balance.lock().unwrap() += amount;
    }
    #[cfg(not(fixed))]
    pub fn withdraw(&self, amount: u64) -> Result<u64, &'static str> {
        if self.balance() < amount {
            return Err("insufficient funds");
        }
        let mut balance = self.balance.lock().unwrap();
        *balance -= amount;
        Ok(*balance)
    }
    #[cfg(fixed)]
    pub fn withdraw(&self, amount: u64) -> Result<u64, &'static str> {
        let mut balance = self.balance.lock().unwrap();
        if *balance < amount {
            return Err("insufficient funds");
        }
        *balance -= amount;
        Ok(*balance)
    }
}
