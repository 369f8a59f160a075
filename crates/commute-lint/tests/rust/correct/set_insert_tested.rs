//! Set insert tested, as far as the cases use it.
use std::collections::HashSet;
use std::sync::{Mutex, RwLock};
pub struct Seen {
    seen: RwLock<HashSet<u64>>,
    queue: Mutex<Vec<u64>>,
}
impl Seen {
    pub fn offer(&self, hash: u64) -> bool {
        if self.seen.read().unwrap().contains(&hash) {
            return false;
        }
        if !self.seen.write().unwrap().insert(hash) {
            return false;
        }
        self.queue.lock().unwrap().push(hash);
        true
    }
    pub fn forget(&self, hash: u64) {
        self.seen.write().unwrap().remove(&hash);
    }
}
