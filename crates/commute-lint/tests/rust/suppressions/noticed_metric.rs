//! That somebody was replaced is counted, but he is replaced all the same.
//@ suppression: Noticed
//@ finding: connect
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
pub struct Links {
    open: Mutex<HashMap<u32, String>>,
    replaced: AtomicU64,
}
fn dial(peer: u32) -> String {
    format!("peer {peer}")
}
impl Links {
    pub fn connect(&self, peer: u32) {
        if self.open.lock().unwrap().contains_key(&peer) {
            return;
        }
        let link = dial(peer);
        let mut open = self.open.lock().unwrap();
        #[cfg(not(fixed))]
        if open.insert(peer, link).is_some() {
            self.replaced.fetch_add(1, Ordering::Relaxed);
        }
        #[cfg(fixed)]
        if let Some(first) = open.insert(peer, link) {
            open.insert(peer, first);
        }
    }
}
