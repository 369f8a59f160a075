//! Values get random keys: a few are tried until one is free. Between question
//! and insertion somebody else takes the same key, and one value is lost,
//! though values are to go only by removal. The entry is now asked and filled
//! at once.
//@ finding: Store::add
use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use std::hash::{BuildHasher, RandomState};

#[derive(Default)]
pub struct Store {
    values: DashMap<u64, String>,
    random: RandomState,
}

impl Store {
    #[cfg(not(fixed))]
    pub fn add(&self, value: String) -> Option<u64> {
        for attempt in 0..10 {
            let key = self.random.hash_one(attempt);
            if !self.values.contains_key(&key) {
                self.values.insert(key, value);
                return Some(key);
            }
        }
        None
    }

    #[cfg(fixed)]
    pub fn add(&self, value: String) -> Option<u64> {
        for attempt in 0..10 {
            let key = self.random.hash_one(attempt);
            if let Entry::Vacant(place) = self.values.entry(key) {
                place.insert(value);
                return Some(key);
            }
        }
        None
    }

    pub fn remove(&self, key: u64) -> bool {
        self.values.remove(&key).is_some()
    }
}
