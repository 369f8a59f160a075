//! An account is locked for a payment, and a function that is given the guard
//! goes on with it. Once the guard was dropped before, and taken again.
//@ finding: Accounts::pay
use std::sync::Arc;
use tokio::sync::{Mutex, OwnedMutexGuard};

pub struct Account {
    balance: i64,
    paid: u32,
}

pub struct Accounts {
    account: Arc<Mutex<Account>>,
}

async fn approve(amount: i64) -> bool {
    tokio::task::yield_now().await;
    amount < 100
}

#[cfg(not(fixed))]
async fn finish(account: Arc<Mutex<Account>>, left: i64) {
    let mut account = account.lock_owned().await;
    account.balance = left;
    account.paid += 1;
}

#[cfg(fixed)]
async fn finish(mut account: OwnedMutexGuard<Account>, left: i64) {
    approve(left).await;
    account.balance = left;
    account.paid += 1;
}

impl Accounts {
    #[cfg(not(fixed))]
    pub async fn pay(&self, amount: i64) -> bool {
        let left = self.account.clone().lock_owned().await.balance - amount;
        if left < 0 || !approve(amount).await {
            return false;
        }
        finish(self.account.clone(), left).await;
        true
    }

    #[cfg(fixed)]
    pub async fn pay(&self, amount: i64) -> bool {
        let account = self.account.clone().lock_owned().await;
        let left = account.balance - amount;
        if left < 0 || !approve(amount).await {
            return false;
        }
        finish(account, left).await;
        true
    }
}
