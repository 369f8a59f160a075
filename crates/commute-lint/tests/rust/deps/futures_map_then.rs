//! A balance is read, raised by `map`, and stored by what `then` makes: two
//! deposits become one. The sum is now made under the lock that stores it.
//@ finding: Wallet::deposit
use futures::FutureExt;
use tokio::sync::Mutex;

#[derive(Default)]
pub struct Wallet {
    balance: Mutex<i64>,
}

impl Wallet {
    async fn balance(&self) -> i64 {
        *self.balance.lock().await
    }

    async fn store(&self, balance: i64) -> i64 {
        *self.balance.lock().await = balance;
        balance
    }

    #[cfg(not(fixed))]
    pub async fn deposit(&self, amount: i64) -> i64 {
        let sum = self.balance().map(|balance| balance + amount).await;
        self.store(sum).await
    }

    #[cfg(fixed)]
    pub async fn deposit(&self, amount: i64) -> i64 {
        let mut balance = self.balance.lock().await;
        *balance += amount;
        *balance
    }

    pub fn reset<'a>(&'a self) -> futures::future::BoxFuture<'a, i64> {
        self.store(0).boxed()
    }
}
