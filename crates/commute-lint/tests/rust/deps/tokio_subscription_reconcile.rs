//! Subscriptions of a validator are kept in a cache and at a service
//! (magicblock #1354): a reconciler compares the two and unsubscribes those that
//! the cache does not have, while one is being registered: at the service
//! already, in the cache not yet. Both take a lock over the two now.
//@ finding: reconcile
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use tokio::sync::{Mutex, RwLock};

pub type Pubkey = [u8; 32];

#[derive(Default)]
pub struct PubsubClient {
    subscribed: RwLock<HashSet<Pubkey>>,
}

impl PubsubClient {
    async fn subscribe(&self, key: Pubkey) -> Result<(), String> {
        self.subscribed.write().await.insert(key);
        Ok(())
    }
    async fn unsubscribe(&self, key: &Pubkey) {
        self.subscribed.write().await.remove(key);
    }
    async fn subscriptions(&self) -> HashSet<Pubkey> {
        self.subscribed.read().await.clone()
    }
}

#[derive(Default)]
pub struct AccountsLruCache {
    accounts: RwLock<BTreeMap<Pubkey, u64>>,
}

impl AccountsLruCache {
    async fn add(&self, key: Pubkey, slot: u64) {
        self.accounts.write().await.insert(key, slot);
    }
    async fn contains(&self, key: &Pubkey) -> bool {
        self.accounts.read().await.contains_key(key)
    }
}

#[derive(Default)]
pub struct RemoteAccountProvider {
    client: Arc<PubsubClient>,
    lru: Arc<AccountsLruCache>,
    transition: Mutex<()>,
}

impl RemoteAccountProvider {
    pub async fn register(&self, key: Pubkey, slot: u64) -> Result<(), String> {
        #[cfg(fixed)]
        let _transition = self.transition.lock().await;
        self.client.subscribe(key).await?;
        self.lru.add(key, slot).await;
        Ok(())
    }

    pub async fn reconcile(&self) -> usize {
        #[cfg(fixed)]
        let _transition = self.transition.lock().await;
        let subscribed = self.client.subscriptions().await;
        let mut stale = 0;
        for key in &subscribed {
            if !self.lru.contains(key).await {
                self.client.unsubscribe(key).await;
                stale += 1;
            }
        }
        stale
    }
}
