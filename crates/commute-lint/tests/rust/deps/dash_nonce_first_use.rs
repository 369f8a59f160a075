//! Numbers of transactions are kept for each account. For an account that is
//! not there, the network is asked, and the answer is inserted: two tasks that
//! use a new account get the same number, and later numbers start again. Each
//! account now has a lock that is held while the network is asked.
//@ finding: NonceFiller::next_nonce
use dashmap::DashMap;
use std::sync::Arc;
use tokio::sync::Mutex;

pub struct NonceFiller {
    #[cfg(not(fixed))]
    nonces: DashMap<u64, u64>,
    #[cfg(fixed)]
    nonces: DashMap<u64, Arc<Mutex<Option<u64>>>>,
}

async fn count_from_network(account: u64) -> Result<u64, String> {
    tokio::task::yield_now().await;
    Ok(account % 7)
}

impl NonceFiller {
    #[cfg(not(fixed))]
    pub async fn next_nonce(&self, account: u64) -> Result<u64, String> {
        if let Some(mut nonce) = self.nonces.get_mut(&account) {
            *nonce += 1;
            return Ok(*nonce);
        }
        let first = count_from_network(account).await?;
        self.nonces.insert(account, first);
        Ok(first)
    }

    #[cfg(fixed)]
    pub async fn next_nonce(&self, account: u64) -> Result<u64, String> {
        let nonce = {
            let entry = self.nonces.entry(account).or_default();
            Arc::clone(entry.value())
        };
        let mut nonce = nonce.lock().await;
        let next = match *nonce {
            Some(last) => last + 1,
            None => count_from_network(account).await?,
        };
        *nonce = Some(next);
        Ok(next)
    }
}
