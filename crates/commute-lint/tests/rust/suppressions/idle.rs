//! Who removes a session that is gone removes nothing. But a session is closed
//! once, or the seat is given back twice.
//@ suppression: Idle
//@ finding: Sessions::close
use std::collections::HashSet;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};
pub struct Sessions {
    open: RwLock<HashSet<u64>>,
    seats: AtomicU64,
}
impl Sessions {
    pub fn open(&self, id: u64) {
        self.seats.fetch_sub(1, Ordering::AcqRel);
        self.open.write().unwrap().insert(id);
    }
    pub fn close(&self, id: u64) {
        // Most of the time there is nothing to do, and no need to wait.
        if !self.open.read().unwrap().contains(&id) {
            return;
        }
        self.open.write().unwrap().remove(&id);
        #[cfg(not(fixed))]
        self.seats.fetch_add(1, Ordering::AcqRel);
    }
}
