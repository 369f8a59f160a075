//! A transaction of a database in memory takes the current time and then
//! registers as a reader of that time. A commit in between sees no reader, and
//! its cleanup removes the versions that the reader is about to need. Both now
//! happen under the lock of the readers.
//@ finding: Store::begin
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub struct Store {
    clock: AtomicU64,
    readers: Mutex<BTreeMap<u64, usize>>,
    versions: Mutex<BTreeMap<u64, String>>,
}

impl Store {
    #[cfg(not(fixed))]
    pub fn begin(&self) -> u64 {
        let version = self.clock.load(Ordering::SeqCst);
        *self.readers.lock().unwrap().entry(version).or_insert(0) += 1;
        version
    }

    #[cfg(fixed)]
    pub fn begin(&self) -> u64 {
        let mut readers = self.readers.lock().unwrap();
        let version = self.clock.load(Ordering::SeqCst);
        *readers.entry(version).or_insert(0) += 1;
        version
    }

    pub fn commit(&self, value: String) {
        let readers = self.readers.lock().unwrap();
        let version = self.clock.fetch_add(1, Ordering::SeqCst) + 1;
        let oldest = readers.keys().next().copied().unwrap_or(version);
        let mut versions = self.versions.lock().unwrap();
        versions.insert(version, value);
        versions.retain(|at, _| *at >= oldest);
    }

    pub fn read(&self, version: u64) -> Option<String> {
        let versions = self.versions.lock().unwrap();
        versions
            .range(..=version)
            .next_back()
            .map(|(_, v)| v.clone())
    }
}
