//! dash len limit.
//@ finding: Limited::add
use dashmap::DashSet;
pub struct Limited {
    set: DashSet<u64>,
    max: usize,
}
impl Limited {
    #[cfg(not(fixed))]
    pub fn add(&self, id: u64) -> bool {
        if self.set.contains(&id) {
            return false;
        }
        self.set.insert(id);
        true
    }
    #[cfg(fixed)]
    pub fn add(&self, id: u64) -> bool {
        let _ = self.max;
        self.set.insert(id)
    }
    pub fn remove(&self, id: u64) {
        self.set.remove(&id);
    }
}
