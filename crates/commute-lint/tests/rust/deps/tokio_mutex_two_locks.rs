//! tokio mutex two locks.
//@ finding: Wallet::spend
use std::sync::Arc;
use tokio::sync::Mutex;
pub struct Wallet {
    balance: Arc<Mutex<u64>>,
}
async fn submit(_: u64) -> bool {
    tokio::task::yield_now().await;
    true
}
impl Wallet {
    #[cfg(not(fixed))]
    pub async fn spend(&self, amount: u64) -> bool {
        let balance = *self.balance.lock().await;
        if balance < amount {
            return false;
        }
        if !submit(amount).await {
            return false;
        }
        *self.balance.lock().await = balance - amount;
        true
    }
    #[cfg(fixed)]
    pub async fn spend(&self, amount: u64) -> bool {
        let mut balance = self.balance.lock().await;
        if *balance < amount {
            return false;
        }
        if !submit(amount).await {
            return false;
        }
        *balance -= amount;
        true
    }
}
