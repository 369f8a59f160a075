//! The last one is found in one region and the entry removed in another.
//@ finding: Shared::release
use std::collections::HashMap;
use std::sync::Mutex;
pub struct Shared {
    counts: Mutex<HashMap<u32, usize>>,
}
impl Shared {
    pub fn acquire(&self, id: u32) {
        *self.counts.lock().unwrap().entry(id).or_insert(0) += 1;
    }
    #[cfg(not(fixed))]
    pub fn release(&self, id: u32) {
        let count = self.counts.lock().unwrap().get(&id).copied();
        match count {
            Some(1) => {
                self.counts.lock().unwrap().remove(&id);
            }
            Some(n) => {
                self.counts.lock().unwrap().insert(id, n - 1);
            }
            None => {}
        }
    }
    #[cfg(fixed)]
    pub fn release(&self, id: u32) {
        let mut counts = self.counts.lock().unwrap();
        match counts.get(&id).copied() {
            Some(1) => {
                counts.remove(&id);
            }
            Some(n) => {
                counts.insert(id, n - 1);
            }
            None => {}
        }
    }
}
