//! After a new root was set under the write lock, the lock is given back and
//! taken again for reading, to look at the bank of that root. Whoever sets a
//! higher root in between removes it, and the index panics.
//@ finding: handle_new_root
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

pub struct Bank {
    pub slot: u64,
    pub epoch: u64,
}

#[derive(Default)]
pub struct BankForks {
    banks: BTreeMap<u64, Arc<Bank>>,
    root: u64,
}

impl BankForks {
    pub fn insert(&mut self, bank: Bank) {
        self.banks.insert(bank.slot, Arc::new(bank));
    }

    pub fn highest(&self) -> u64 {
        self.banks.keys().next_back().copied().unwrap_or(self.root)
    }

    pub fn set_root(&mut self, root: u64) {
        self.root = root;
        self.banks.retain(|slot, _| *slot >= root);
    }

    pub fn root(&self) -> u64 {
        self.root
    }
}

pub fn add_bank(forks: &RwLock<BankForks>, bank: Bank) {
    forks.write().unwrap().insert(bank);
}

#[cfg(not(fixed))]
pub fn handle_new_root(forks: &RwLock<BankForks>) -> u64 {
    let new_root = forks.read().unwrap().highest();
    forks.write().unwrap().set_root(new_root);
    let forks = forks.read().unwrap();
    forks.banks[&new_root].epoch
}

#[cfg(fixed)]
pub fn handle_new_root(forks: &RwLock<BankForks>) -> u64 {
    let mut forks = forks.write().unwrap();
    let new_root = forks.highest();
    forks.set_root(new_root);
    forks.banks[&new_root].epoch
}
