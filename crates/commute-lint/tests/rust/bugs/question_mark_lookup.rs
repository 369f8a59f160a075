//! question mark lookup.
//@ finding: Ledger::transfer
use std::collections::HashMap;
use std::sync::Mutex;
#[derive(Debug)]
pub enum Error {
    Unknown,
    Poor,
}
pub struct Ledger {
    accounts: Mutex<HashMap<u32, u64>>,
}
impl Ledger {
    fn balance(&self, id: u32) -> Result<u64, Error> {
        self.accounts
            .lock()
            .unwrap()
            .get(&id)
            .copied()
            .ok_or(Error::Unknown)
    }
    fn update(&self, id: u32, balance: u64) {
        self.accounts.lock().unwrap().insert(id, balance);
    }
    #[cfg(not(fixed))]
    pub fn transfer(&self, from: u32, to: u32, amount: u64) -> Result<(), Error> {
        let source = self.balance(from)?;
        let target = self.balance(to)?;
        let rest = source.checked_sub(amount).ok_or(Error::Poor)?;
        self.update(from, rest);
        self.update(to, target + amount);
        Ok(())
    }
    #[cfg(fixed)]
    pub fn transfer(&self, from: u32, to: u32, amount: u64) -> Result<(), Error> {
        let mut accounts = self.accounts.lock().unwrap();
        let source = accounts.get(&from).copied().ok_or(Error::Unknown)?;
        let target = accounts.get(&to).copied().ok_or(Error::Unknown)?;
        let rest = source.checked_sub(amount).ok_or(Error::Poor)?;
        accounts.insert(from, rest);
        accounts.insert(to, target + amount);
        Ok(())
    }
}
