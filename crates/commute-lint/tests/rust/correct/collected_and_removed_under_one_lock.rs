//! Keys are collected in a list and removed, all under one lock; and what is
//! removed under a second lock is looked at again.
use std::collections::HashMap;
use std::sync::Mutex;

#[derive(Default)]
pub struct Sessions {
    last_seen: Mutex<HashMap<u64, u64>>,
}

impl Sessions {
    pub fn touch(&self, id: u64, now: u64) {
        self.last_seen.lock().unwrap().insert(id, now);
    }

    pub fn expire(&self, before: u64) -> usize {
        let mut last_seen = self.last_seen.lock().unwrap();
        let mut old = Vec::new();
        for (id, seen) in last_seen.iter() {
            if *seen < before {
                old.push(*id);
            }
        }
        for id in &old {
            last_seen.remove(id);
        }
        old.len()
    }

    pub fn expire_slowly(&self, before: u64) {
        let mut old = Vec::new();
        for (id, seen) in self.last_seen.lock().unwrap().iter() {
            if *seen < before {
                old.push(*id);
            }
        }
        for id in old {
            let mut last_seen = self.last_seen.lock().unwrap();
            if last_seen.get(&id).is_some_and(|seen| *seen < before) {
                last_seen.remove(&id);
            }
        }
    }
}
