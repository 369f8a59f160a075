//! `entry` decides and acts at once; what is written through it afterwards may
//! still be old.
//@ suppression: Decisive
//@ finding: count
use std::collections::HashMap;
use std::sync::Mutex;
pub struct Votes {
    counts: Mutex<HashMap<String, u64>>,
}
fn is_allowed(name: &str) -> bool {
    !name.is_empty()
}
impl Votes {
    pub fn count(&self, name: &str) {
        let known = self.counts.lock().unwrap().get(name).copied();
        if known.is_none() && !is_allowed(name) {
            return;
        }
        #[cfg(not(fixed))]
        {
            let mut counts = self.counts.lock().unwrap();
            *counts.entry(name.to_owned()).or_insert(0) = known.unwrap_or(0) + 1;
        }
        #[cfg(fixed)]
        if known.is_none() {
            self.counts
                .lock()
                .unwrap()
                .entry(name.to_owned())
                .or_insert(0);
        }
    }
}
