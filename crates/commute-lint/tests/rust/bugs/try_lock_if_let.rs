//! try lock if let.
//@ finding: Sampler::sample
use std::sync::Mutex;
struct Window {
    count: u32,
    epoch: u64,
}
pub struct Sampler {
    window: Mutex<Window>,
    limit: u32,
}
impl Sampler {
    #[cfg(not(fixed))]
    pub fn sample(&self, epoch: u64) -> bool {
        let (count, stale) = match self.window.lock() {
            Ok(window) => (window.count, window.epoch != epoch),
            Err(_) => return false,
        };
        if !stale && count >= self.limit {
            return false;
        }
        if let Ok(mut window) = self.window.lock() {
            window.epoch = epoch;
            window.count = if stale { 1 } else { count + 1 };
        }
        true
    }
    #[cfg(fixed)]
    pub fn sample(&self, epoch: u64) -> bool {
        let Ok(mut window) = self.window.lock() else {
            return false;
        };
        if window.epoch != epoch {
            window.epoch = epoch;
            window.count = 0;
        }
        if window.count >= self.limit {
            return false;
        }
        window.count += 1;
        true
    }
}
