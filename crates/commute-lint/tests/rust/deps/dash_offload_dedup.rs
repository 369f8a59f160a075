//! A cache refreshes values in the background, once for each key at a time. A
//! key that is refreshed is in a map; question and insertion are two, and two
//! tasks refresh the same.
//@ finding: OffloadManager::spawn_with_key
use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use std::sync::Arc;
use tokio::task::JoinHandle;

#[derive(Clone, Default)]
pub struct OffloadManager {
    in_flight: Arc<DashMap<String, JoinHandle<()>>>,
}

impl OffloadManager {
    #[cfg(not(fixed))]
    pub fn spawn_with_key<F>(&self, key: String, work: F) -> bool
    where
        F: Future<Output = ()> + Send + 'static,
    {
        if self.in_flight.contains_key(&key) {
            return false;
        }
        let handle = tokio::spawn(work);
        self.in_flight.insert(key, handle);
        true
    }

    #[cfg(fixed)]
    pub fn spawn_with_key<F>(&self, key: String, work: F) -> bool
    where
        F: Future<Output = ()> + Send + 'static,
    {
        match self.in_flight.entry(key) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(tokio::spawn(work));
                true
            }
        }
    }

    pub fn finished(&self, key: &str) {
        self.in_flight.remove(key);
    }
}
