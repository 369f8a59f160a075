//! Subscriptions of a store to keys (nativelink #2353): a subscription gives up
//! its receiver and then, under the lock, removes the publisher if none is left.
//! Two that go at the same time both see none, and one removes the publisher of
//! a new subscriber. The lock is taken first.
//@ finding: RedisSubscription
use parking_lot::RwLock;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Default)]
pub struct Publisher {
    receivers: AtomicUsize,
    version: AtomicUsize,
}

impl Publisher {
    fn receiver_count(&self) -> usize {
        self.receivers.load(Ordering::Acquire)
    }
    fn notify(&self) {
        self.version.fetch_add(1, Ordering::Release);
    }
}

type Subscribed = Arc<RwLock<HashMap<String, Arc<Publisher>>>>;

pub struct RedisSubscription {
    publisher: Arc<Publisher>,
    key: String,
    subscribed_keys: Subscribed,
}

pub struct SubscriptionManager {
    subscribed_keys: Subscribed,
}

impl SubscriptionManager {
    pub fn subscribe(&self, key: &str) -> RedisSubscription {
        let mut keys = self.subscribed_keys.write();
        let publisher = keys.entry(key.to_owned()).or_default().clone();
        publisher.receivers.fetch_add(1, Ordering::AcqRel);
        RedisSubscription {
            publisher,
            key: key.to_owned(),
            subscribed_keys: self.subscribed_keys.clone(),
        }
    }

    pub fn notify_for_test(&self, key: &str) -> bool {
        let keys = self.subscribed_keys.read();
        keys.get(key)
            .inspect(|publisher| publisher.notify())
            .is_some()
    }
}

impl RedisSubscription {
    pub fn changed(&self) -> usize {
        self.publisher.version.load(Ordering::Acquire)
    }
}

impl Drop for RedisSubscription {
    #[cfg(not(fixed))]
    fn drop(&mut self) {
        self.publisher.receivers.fetch_sub(1, Ordering::AcqRel);
        if self.publisher.receiver_count() > 0 {
            return;
        }
        let mut keys = self.subscribed_keys.write();
        if keys.remove(&self.key).is_none() {
            eprintln!("key {} was not found", self.key);
        }
    }

    #[cfg(fixed)]
    fn drop(&mut self) {
        let mut keys = self.subscribed_keys.write();
        self.publisher.receivers.fetch_sub(1, Ordering::AcqRel);
        if self.publisher.receiver_count() > 0 {
            return;
        }
        if keys.remove(&self.key).is_none() {
            eprintln!("key {} was not found", self.key);
        }
    }
}
