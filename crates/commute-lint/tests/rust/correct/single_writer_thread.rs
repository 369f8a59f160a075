//! Only the one thread that is started writes.
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
pub struct Sampler {
    latest: Arc<AtomicU64>,
}
impl Sampler {
    pub fn start() -> Sampler {
        let latest = Arc::new(AtomicU64::new(0));
        let writer = latest.clone();
        std::thread::spawn(move || {
            loop {
                let old = writer.load(Ordering::Relaxed);
                writer.store(old + 1, Ordering::Release);
                std::thread::yield_now();
            }
        });
        Sampler { latest }
    }
    pub fn latest(&self) -> u64 {
        self.latest.load(Ordering::Acquire)
    }
}
