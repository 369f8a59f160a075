//! Collect then remove recheck, as far as the cases use it.
use std::collections::HashMap;
use std::sync::RwLock;
use std::time::{Duration, Instant};
pub struct Sessions {
    map: RwLock<HashMap<u64, Instant>>,
    ttl: Duration,
}
impl Sessions {
    pub fn sweep(&self) -> usize {
        let ttl = self.ttl;
        let old: Vec<u64> = self
            .map
            .read()
            .unwrap()
            .iter()
            .filter(|(_, at)| at.elapsed() > ttl)
            .map(|(id, _)| *id)
            .collect();
        if old.is_empty() {
            return 0;
        }
        let mut map = self.map.write().unwrap();
        let mut removed = 0;
        for id in old {
            if map.get(&id).is_some_and(|at| at.elapsed() > ttl) {
                map.remove(&id);
                removed += 1;
            }
        }
        removed
    }
    pub fn touch(&self, id: u64) {
        self.map.write().unwrap().insert(id, Instant::now());
    }
}
