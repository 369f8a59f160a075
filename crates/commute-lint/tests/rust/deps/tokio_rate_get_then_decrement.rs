//! A middleware that limits requests asks its store how many are left, and then
//! tells it to count one: with one left, several requests pass. The store now
//! says how many are left after it has counted.
//@ finding: Limiter::check
use std::collections::HashMap;
use tokio::sync::Mutex;

pub trait Store {
    fn get(&self, key: &str) -> impl Future<Output = Option<i64>>;
    fn decrement(&self, key: &str, by: i64) -> impl Future<Output = i64>;
    fn reset(&self, key: &str, value: i64) -> impl Future<Output = ()>;
}

#[derive(Default)]
pub struct MemoryStore {
    left: Mutex<HashMap<String, i64>>,
}

impl Store for MemoryStore {
    async fn get(&self, key: &str) -> Option<i64> {
        self.left.lock().await.get(key).copied()
    }

    async fn decrement(&self, key: &str, by: i64) -> i64 {
        let mut left = self.left.lock().await;
        let count = left.entry(key.to_owned()).or_insert(0);
        *count -= by;
        *count
    }

    async fn reset(&self, key: &str, value: i64) {
        self.left.lock().await.insert(key.to_owned(), value);
    }
}

pub struct Limiter<S> {
    store: S,
}

impl<S: Store> Limiter<S> {
    #[cfg(not(fixed))]
    pub async fn check(&self, key: &str) -> Result<i64, ()> {
        let left = self.store.get(key).await.unwrap_or(0);
        if left == 0 {
            return Err(());
        }
        Ok(self.store.decrement(key, 1).await)
    }

    #[cfg(fixed)]
    pub async fn check(&self, key: &str) -> Result<i64, ()> {
        let left = self.store.decrement(key, 1).await;
        if left < 0 { Err(()) } else { Ok(left) }
    }
}

pub async fn handle(limiter: &Limiter<MemoryStore>, address: &str) -> u16 {
    if limiter.check(address).await.is_ok() {
        200
    } else {
        429
    }
}
