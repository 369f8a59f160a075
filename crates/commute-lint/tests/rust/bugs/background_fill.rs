//! A thread fills a cache if it is empty; who made it gives the cache away, and
//! others may have put something there by the time the thread does. It looks
//! again now.
//@ finding: Cache::new::{closure#0}
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;

pub struct Cache {
    entries: Arc<Mutex<HashMap<u32, u32>>>,
}

impl Cache {
    pub fn new(first: fn() -> u32) -> Cache {
        let entries = Arc::new(Mutex::new(HashMap::new()));
        let mine = Arc::clone(&entries);
        thread::spawn(move || {
            if mine.lock().unwrap().is_empty() {
                let value = first();
                #[cfg(not(fixed))]
                mine.lock().unwrap().insert(0, value);
                #[cfg(fixed)]
                mine.lock().unwrap().entry(0).or_insert(value);
            }
        });
        Cache { entries }
    }

    pub fn put(&self, key: u32, value: u32) {
        self.entries.lock().unwrap().insert(key, value);
    }
}
