//! dash get insert count.
//@ finding: Counter::count
use dashmap::DashMap;
pub struct Counter {
    map: DashMap<u64, u64>,
}
impl Counter {
    #[cfg(not(fixed))]
    pub fn count(&self, key: u64) -> u64 {
        let old = self.map.get(&key).map(|entry| *entry).unwrap_or(0);
        self.map.insert(key, old + 1);
        old + 1
    }
    #[cfg(fixed)]
    pub fn count(&self, key: u64) -> u64 {
        let mut entry = self.map.entry(key).or_insert(0);
        *entry += 1;
        *entry
    }
}
