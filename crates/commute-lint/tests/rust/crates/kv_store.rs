//! A store with versions, transactions, and snapshots that compaction has to respect.

pub mod types {
    use std::fmt;

    pub type Key = String;
    pub type Bytes = Vec<u8>;

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Version(pub u64);

    impl Version {
        pub fn next(self) -> Version {
            Version(self.0 + 1)
        }
    }

    #[derive(Debug, PartialEq, Eq)]
    pub enum StoreError {
        Conflict { key: Key, found: Version },
        Missing(Key),
        Full,
    }

    impl fmt::Display for StoreError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{self:?}")
        }
    }

    impl std::error::Error for StoreError {}

    pub type Result<T, E = StoreError> = std::result::Result<T, E>;
}

pub mod storage {
    use crate::types::{Bytes, Key, Version};
    use std::collections::BTreeMap;
    use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

    #[derive(Clone, Debug)]
    pub struct Record {
        pub version: Version,
        pub bytes: Bytes,
    }

    #[derive(Default)]
    pub struct Table {
        pub records: BTreeMap<Key, Record>,
        pub size: usize,
        pub latest: Version,
    }

    /// Where tables are kept.
    pub trait Storage: Send + Sync + 'static {
        fn read(&self) -> RwLockReadGuard<'_, Table>;
        fn write(&self) -> RwLockWriteGuard<'_, Table>;
    }

    #[derive(Default)]
    pub struct Memory {
        table: RwLock<Table>,
    }

    impl Storage for Memory {
        fn read(&self) -> RwLockReadGuard<'_, Table> {
            self.table.read().unwrap()
        }

        fn write(&self) -> RwLockWriteGuard<'_, Table> {
            self.table.write().unwrap()
        }
    }

    impl Table {
        pub fn put(&mut self, key: Key, bytes: Bytes) -> Version {
            self.latest = self.latest.next();
            self.size += bytes.len();
            let record = Record {
                version: self.latest,
                bytes,
            };
            if let Some(old) = self.records.insert(key, record) {
                self.size -= old.bytes.len();
            }
            self.latest
        }

        pub fn delete(&mut self, key: &str) -> Option<Record> {
            let old = self.records.remove(key)?;
            self.size -= old.bytes.len();
            self.latest = self.latest.next();
            Some(old)
        }
    }
}

pub mod store {
    use crate::storage::{Record, Storage};
    use crate::types::{Bytes, Key, Result, StoreError, Version};
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};

    pub struct Store<S> {
        storage: S,
        snapshots: Mutex<BTreeMap<Version, usize>>,
        max_size: usize,
        reads: AtomicUsize,
        slowest: AtomicUsize,
    }

    impl<S: Storage> Store<S> {
        pub fn new(storage: S, max_size: usize) -> Self {
            Store {
                storage,
                snapshots: Mutex::default(),
                max_size,
                reads: AtomicUsize::new(0),
                slowest: AtomicUsize::new(0),
            }
        }

        pub fn get(&self, key: &str) -> Result<Record> {
            self.reads.fetch_add(1, Ordering::Relaxed);
            let table = self.storage.read();
            let record = table.records.get(key).cloned();
            record.ok_or_else(|| StoreError::Missing(key.to_owned()))
        }

        pub fn size(&self) -> usize {
            self.storage.read().size
        }

        /// BUG check-then-act: larger than `max_size`, if two put at once.
        #[cfg(not(fixed))]
        pub fn put(&self, key: Key, bytes: Bytes) -> Result<Version> {
            if self.size() + bytes.len() > self.max_size {
                return Err(StoreError::Full);
            }
            Ok(self.storage.write().put(key, bytes))
        }

        #[cfg(fixed)]
        pub fn put(&self, key: Key, bytes: Bytes) -> Result<Version> {
            let mut table = self.storage.write();
            if table.size + bytes.len() > self.max_size {
                return Err(StoreError::Full);
            }
            Ok(table.put(key, bytes))
        }

        /// RIGHT: compares versions and writes in one section.
        pub fn compare_and_put(&self, key: &str, expected: Version, bytes: Bytes) -> Result<Version> {
            let mut table = self.storage.write();
            let found = table.records.get(key).map_or(Version(0), |record| record.version);
            if found != expected {
                return Err(StoreError::Conflict {
                    key: key.to_owned(),
                    found,
                });
            }
            Ok(table.put(key.to_owned(), bytes))
        }

        /// RIGHT: tries again until nobody came between.
        pub fn modify(&self, key: &str, change: impl Fn(&[u8]) -> Bytes) -> Result<Version> {
            loop {
                let record = self.get(key)?;
                let bytes = change(&record.bytes);
                match self.compare_and_put(key, record.version, bytes) {
                    Err(StoreError::Conflict { .. }) => continue,
                    result => return result,
                }
            }
        }

        /// BUG stale value written back: what others append in between is lost.
        #[cfg(not(fixed))]
        pub fn append(&self, key: &str, more: &[u8]) -> Result<usize> {
            let mut bytes = self.get(key)?.bytes;
            bytes.extend_from_slice(more);
            let length = bytes.len();
            self.storage.write().put(key.to_owned(), bytes);
            Ok(length)
        }

        #[cfg(fixed)]
        pub fn append(&self, key: &str, more: &[u8]) -> Result<usize> {
            let mut table = self.storage.write();
            let record = table.records.get(key).cloned();
            let mut bytes = record.ok_or_else(|| StoreError::Missing(key.to_owned()))?.bytes;
            bytes.extend_from_slice(more);
            let length = bytes.len();
            table.put(key.to_owned(), bytes);
            Ok(length)
        }

        /// BUG check-then-act: the value that is renamed over may have come in between, and what is
        /// renamed may have gone.
        #[cfg(not(fixed))]
        pub fn rename(&self, from: &str, to: &str) -> Result<()> {
            if self.storage.read().records.contains_key(to) {
                return Err(StoreError::Conflict {
                    key: to.to_owned(),
                    found: Version(0),
                });
            }
            let mut table = self.storage.write();
            let record = table.delete(from).ok_or_else(|| StoreError::Missing(from.to_owned()))?;
            table.put(to.to_owned(), record.bytes);
            Ok(())
        }

        #[cfg(fixed)]
        pub fn rename(&self, from: &str, to: &str) -> Result<()> {
            let mut table = self.storage.write();
            if table.records.contains_key(to) {
                return Err(StoreError::Conflict {
                    key: to.to_owned(),
                    found: Version(0),
                });
            }
            let record = table.delete(from).ok_or_else(|| StoreError::Missing(from.to_owned()))?;
            table.put(to.to_owned(), record.bytes);
            Ok(())
        }

        /// BUG pair: size and number of records of two moments.
        #[cfg(not(fixed))]
        pub fn density(&self) -> f64 {
            let size = self.size();
            let count = self.storage.read().records.len();
            size as f64 / count.max(1) as f64
        }

        #[cfg(fixed)]
        pub fn density(&self) -> f64 {
            let table = self.storage.read();
            table.size as f64 / table.records.len().max(1) as f64
        }

        /// RIGHT: the version is read and registered while nobody compacts.
        pub fn snapshot(self: &Arc<Self>) -> Snapshot<S> {
            let mut snapshots = self.snapshots.lock().unwrap();
            let version = self.storage.read().latest;
            *snapshots.entry(version).or_insert(0) += 1;
            Snapshot {
                store: Arc::clone(self),
                version,
            }
        }

        /// RIGHT: the lock of the snapshots is held to the end.
        pub fn compact(&self) -> usize {
            let snapshots = self.snapshots.lock().unwrap();
            let oldest = snapshots.keys().next().copied();
            let mut table = self.storage.write();
            let before = table.records.len();
            let keep = oldest.unwrap_or(table.latest);
            table.records.retain(|_, record| !record.bytes.is_empty() || record.version >= keep);
            before - table.records.len()
        }

        fn release(&self, version: Version) {
            let mut snapshots = self.snapshots.lock().unwrap();
            if let Some(count) = snapshots.get_mut(&version) {
                *count -= 1;
                if *count == 0 {
                    snapshots.remove(&version);
                }
            }
        }

        /// RIGHT: `fetch_max` does both.
        pub fn took(&self, micros: usize) {
            if micros > self.slowest.load(Ordering::Relaxed) {
                self.slowest.fetch_max(micros, Ordering::Relaxed);
            }
        }
    }

    pub struct Snapshot<S: Storage> {
        store: Arc<Store<S>>,
        version: Version,
    }

    impl<S: Storage> Snapshot<S> {
        pub fn get(&self, key: &str) -> Option<Bytes> {
            let table = self.store.storage.read();
            let record = table.records.get(key)?;
            (record.version <= self.version).then(|| record.bytes.clone())
        }
    }

    impl<S: Storage> Drop for Snapshot<S> {
        fn drop(&mut self) {
            self.store.release(self.version);
        }
    }
}

pub use storage::{Memory, Storage};
pub use store::{Snapshot, Store};
pub use types::{Result, StoreError, Version};
