//! A cache in front of a database (alpen #906): who misses puts in a slot,
//! fetches, and on an error removes the slot under a second lock, by its key.
//! Another may have put in a good one. It is removed only if it is this one.
//@ finding: CacheTable
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use tokio::sync::{Mutex, RwLock};

#[derive(Clone)]
pub enum SlotState<T> {
    Pending,
    Ready(T),
    Error,
}

type CacheSlot<T> = Arc<RwLock<SlotState<T>>>;

pub struct CacheTable<K, V> {
    cache: Mutex<HashMap<K, CacheSlot<V>>>,
    capacity: usize,
}

#[derive(Debug)]
pub enum DbError {
    CacheLoadFail,
    NotFound,
}

impl<K: Hash + Eq + Clone + Send, V: Clone + Send> CacheTable<K, V> {
    pub async fn insert(&self, key: K, value: V) {
        let mut cache = self.cache.lock().await;
        if cache.len() < self.capacity {
            cache.insert(key, Arc::new(RwLock::new(SlotState::Ready(value))));
        }
    }

    pub async fn purge(&self, key: &K) {
        self.cache.lock().await.remove(key);
    }

    pub async fn get_or_fetch(
        &self,
        key: &K,
        fetch: fn(&K) -> Result<V, DbError>,
    ) -> Result<V, DbError> {
        let (slot, new) = {
            let mut cache = self.cache.lock().await;
            match cache.get(key) {
                Some(slot) => (slot.clone(), false),
                None => {
                    let slot = Arc::new(RwLock::new(SlotState::Pending));
                    cache.insert(key.clone(), slot.clone());
                    (slot, true)
                }
            }
        };
        if !new {
            return match &*slot.read().await {
                SlotState::Ready(value) => Ok(value.clone()),
                SlotState::Pending | SlotState::Error => Err(DbError::CacheLoadFail),
            };
        }
        match fetch(key) {
            Ok(value) => {
                *slot.write().await = SlotState::Ready(value.clone());
                Ok(value)
            }
            Err(error) => {
                *slot.write().await = SlotState::Error;
                let mut cache = self.cache.lock().await;
                #[cfg(not(fixed))]
                cache.remove(key);
                #[cfg(fixed)]
                if cache
                    .get(key)
                    .is_some_and(|known| Arc::ptr_eq(known, &slot))
                {
                    cache.remove(key);
                }
                Err(error)
            }
        }
    }
}
