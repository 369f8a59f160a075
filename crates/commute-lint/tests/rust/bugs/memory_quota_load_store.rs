//! memory quota load store.
//@ finding: Quota::reserve
use std::sync::atomic::{AtomicU64, Ordering};
pub struct Quota {
    used: AtomicU64,
    limit: u64,
}
impl Quota {
    #[cfg(not(fixed))]
    pub fn reserve(&self, bytes: u64) -> Result<(), u64> {
        let used = self.used.load(Ordering::Relaxed);
        let wanted = used + bytes;
        if wanted > self.limit {
            return Err(self.limit - used);
        }
        self.used.store(wanted, Ordering::Relaxed);
        Ok(())
    }
    #[cfg(fixed)]
    pub fn reserve(&self, bytes: u64) -> Result<(), u64> {
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let wanted = used + bytes;
            if wanted > self.limit {
                return Err(self.limit - used);
            }
            match self.used.compare_exchange_weak(
                used,
                wanted,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return Ok(()),
                Err(now) => used = now,
            }
        }
    }
    pub fn release(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}
