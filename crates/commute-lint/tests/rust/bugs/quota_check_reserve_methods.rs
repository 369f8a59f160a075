//! A file system in user space has a quota: one method says whether so many
//! bytes fit, another reserves them. Writers that ask at the same time all fit.
//! Check and reservation are one step now.
//@ finding: FileSystem::write
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

pub struct Quota {
    used: AtomicU64,
    max: u64,
}

impl Quota {
    pub fn check(&self, bytes: u64) -> Result<(), String> {
        let used = self.used.load(Ordering::Relaxed);
        if used.saturating_add(bytes) > self.max {
            return Err(format!("{used} of {} are used", self.max));
        }
        Ok(())
    }

    pub fn reserve(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    pub fn try_reserve(&self, bytes: u64) -> Result<(), String> {
        let fits = |used: u64| used.checked_add(bytes).filter(|sum| *sum <= self.max);
        self.used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits)
            .map(|_| ())
            .map_err(|used| format!("{used} of {} are used", self.max))
    }

    pub fn release(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

pub struct FileSystem {
    quota: Arc<Quota>,
    data: Mutex<Vec<u8>>,
}

impl FileSystem {
    #[cfg(not(fixed))]
    pub fn write(&self, bytes: &[u8]) -> Result<usize, String> {
        self.quota.check(bytes.len() as u64)?;
        self.data.lock().unwrap().extend_from_slice(bytes);
        self.quota.reserve(bytes.len() as u64);
        Ok(bytes.len())
    }

    #[cfg(fixed)]
    pub fn write(&self, bytes: &[u8]) -> Result<usize, String> {
        self.quota.try_reserve(bytes.len() as u64)?;
        self.data.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
}
