//! The balance goes through combinators of `Option` before it is relied on.
//@ finding: Bank::transfer
use std::collections::BTreeMap;
use std::sync::Mutex;

#[derive(Debug)]
pub enum TransferError {
    NoSuchAccount(u32),
    Insufficient,
}

#[derive(Default)]
pub struct Bank {
    accounts: Mutex<BTreeMap<u32, i64>>,
    journal: Mutex<Vec<(u32, u32, i64)>>,
}

impl Bank {
    pub fn open(&self, id: u32, deposit: i64) {
        self.accounts.lock().unwrap().insert(id, deposit);
    }
    pub fn balance_of(&self, id: u32) -> Option<i64> {
        self.accounts.lock().unwrap().get(&id).copied()
    }
    #[cfg(not(fixed))]
    pub fn transfer(&self, from: u32, to: u32, amount: i64) -> Result<(), TransferError> {
        let balance = self
            .balance_of(from)
            .ok_or(TransferError::NoSuchAccount(from))?;
        Some(balance)
            .filter(|balance| *balance >= amount)
            .ok_or(TransferError::Insufficient)?;
        let mut accounts = self.accounts.lock().unwrap();
        *accounts.entry(from).or_insert(0) -= amount;
        *accounts.entry(to).or_insert(0) += amount;
        drop(accounts);
        self.journal.lock().unwrap().push((from, to, amount));
        Ok(())
    }
    #[cfg(fixed)]
    pub fn transfer(&self, from: u32, to: u32, amount: i64) -> Result<(), TransferError> {
        let mut accounts = self.accounts.lock().unwrap();
        let balance = accounts
            .get(&from)
            .copied()
            .ok_or(TransferError::NoSuchAccount(from))?;
        Some(balance)
            .filter(|balance| *balance >= amount)
            .ok_or(TransferError::Insufficient)?;
        *accounts.entry(from).or_insert(0) -= amount;
        *accounts.entry(to).or_insert(0) += amount;
        drop(accounts);
        self.journal.lock().unwrap().push((from, to, amount));
        Ok(())
    }
}
