//! A transfer reads both accounts at once, and stores both: a payment in
//! between is lost. Both are now changed under one lock.
//@ finding: Bank::transfer
use std::collections::HashMap;
use tokio::sync::Mutex;

#[derive(Default)]
pub struct Bank {
    accounts: Mutex<HashMap<u32, i64>>,
}

impl Bank {
    async fn balance(&self, account: u32) -> i64 {
        self.accounts.lock().await.get(&account).copied().unwrap_or(0)
    }

    async fn store(&self, account: u32, balance: i64) {
        self.accounts.lock().await.insert(account, balance);
    }

    #[cfg(not(fixed))]
    pub async fn transfer(&self, from: u32, to: u32, amount: i64) {
        let (left, right) = tokio::join!(self.balance(from), self.balance(to));
        if left < amount {
            return;
        }
        self.store(from, left - amount).await;
        self.store(to, right + amount).await;
    }

    #[cfg(fixed)]
    pub async fn transfer(&self, from: u32, to: u32, amount: i64) {
        let mut accounts = self.accounts.lock().await;
        let left = accounts.get(&from).copied().unwrap_or(0);
        if left < amount {
            return;
        }
        *accounts.entry(from).or_insert(0) -= amount;
        *accounts.entry(to).or_insert(0) += amount;
    }
}
