//! torn read two getters.
//@ finding: Stats::ratio
use std::sync::Mutex;
#[derive(Default)]
struct Counts {
    hits: u64,
    lookups: u64,
}
#[derive(Default)]
pub struct Stats {
    counts: Mutex<Counts>,
}
impl Stats {
    pub fn record(&self, hit: bool) {
        let mut counts = self.counts.lock().unwrap();
        counts.lookups += 1;
        if hit {
            counts.hits += 1;
        }
    }
    pub fn reset(&self) {
        let mut counts = self.counts.lock().unwrap();
        counts.lookups = 0;
        counts.hits = 0;
    }
    fn hits(&self) -> u64 {
        self.counts.lock().unwrap().hits
    }
    fn lookups(&self) -> u64 {
        self.counts.lock().unwrap().lookups
    }
    #[cfg(not(fixed))]
    pub fn ratio(&self) -> f64 {
        self.hits() as f64 / self.lookups() as f64
    }
    #[cfg(fixed)]
    pub fn ratio(&self) -> f64 {
        let counts = self.counts.lock().unwrap();
        counts.hits as f64 / counts.lookups as f64
    }
}
