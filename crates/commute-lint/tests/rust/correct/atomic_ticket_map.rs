//! Atomic ticket map, as far as the cases use it.
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
pub struct Handles {
    next: AtomicU64,
    map: Mutex<HashMap<u64, Box<[u8]>>>,
}
impl Handles {
    pub fn add(&self, data: &[u8]) -> u64 {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.map.lock().unwrap().insert(id, data.into());
        id
    }
    pub fn remove(&self, id: u64) -> bool {
        self.map.lock().unwrap().remove(&id).is_some()
    }
}
