//! Hits and lookups are counted apart, and the rate is computed of both.
//@ finding: CacheStats::hit
use std::sync::Mutex;

#[derive(Default)]
struct Counts {
    lookups: u64,
    hits: u64,
    last: Option<u64>,
}

#[derive(Default)]
pub struct CacheStats {
    counts: Mutex<Counts>,
}

impl CacheStats {
    pub fn miss(&self) {
        self.counts.lock().unwrap().lookups += 1;
    }
    #[cfg(not(fixed))]
    pub fn hit(&self, key: u64) {
        self.counts.lock().unwrap().hits += 1;
        let mut counts = self.counts.lock().unwrap();
        counts.lookups += 1;
        counts.last = Some(key);
    }
    #[cfg(fixed)]
    pub fn hit(&self, key: u64) {
        let mut counts = self.counts.lock().unwrap();
        counts.hits += 1;
        counts.lookups += 1;
        counts.last = Some(key);
    }
    /// Misses: never negative.
    pub fn misses(&self) -> u64 {
        let counts = self.counts.lock().unwrap();
        counts.lookups - counts.hits
    }
}
