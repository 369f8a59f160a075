//! Something expired is removed only if it still is.
use dashmap::DashMap;

#[derive(Clone)]
pub struct Cached {
    body: String,
    until: u64,
}

#[derive(Default)]
pub struct Cache {
    entries: DashMap<u64, Cached>,
}

impl Cache {
    pub fn put(&self, key: u64, body: String, until: u64) {
        self.entries.insert(key, Cached { body, until });
    }
    pub fn get(&self, key: u64, now: u64) -> Option<String> {
        let (body, until) = {
            let entry = self.entries.get(&key)?;
            (entry.body.clone(), entry.until)
        };
        if until < now {
            self.entries.remove_if(&key, |_, entry| entry.until < now);
            return None;
        }
        Some(body)
    }
    pub fn touch(&self, key: u64, until: u64) -> bool {
        match self.entries.get_mut(&key) {
            Some(mut entry) => {
                entry.until = entry.until.max(until);
                true
            }
            None => false,
        }
    }
}
