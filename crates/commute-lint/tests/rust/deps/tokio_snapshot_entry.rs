//! The log of a consensus library (sorock #451): the index of the snapshot is
//! read, the snapshot is found in the store, and its entry in the log; compaction
//! may have replaced both in between. A lock is held over the three.
//@ finding: CommandLog
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::RwLock;

#[derive(Clone)]
pub struct Entry {
    pub term: u64,
    pub command: Vec<u8>,
}

#[derive(Default)]
pub struct SnapshotStore {
    snapshots: RwLock<BTreeMap<u64, Arc<[u8]>>>,
}

impl SnapshotStore {
    async fn get(&self, index: u64) -> Option<Arc<[u8]>> {
        self.snapshots.read().await.get(&index).cloned()
    }
    async fn save(&self, index: u64, data: Arc<[u8]>) {
        self.snapshots.write().await.insert(index, data);
    }
    async fn delete_before(&self, index: u64) {
        self.snapshots.write().await.retain(|at, _| *at >= index);
    }
}

#[derive(Default)]
pub struct CommandLog {
    entries: RwLock<BTreeMap<u64, Entry>>,
    snapshot_pointer: AtomicU64,
    snapshots: SnapshotStore,
    snapshot_lock: RwLock<()>,
}

impl CommandLog {
    async fn get_entry(&self, index: u64) -> Option<Entry> {
        self.entries.read().await.get(&index).cloned()
    }

    pub async fn open_snapshot(&self) -> Result<(Entry, Arc<[u8]>), String> {
        #[cfg(fixed)]
        let _snapshot = self.snapshot_lock.read().await;
        let index = self.snapshot_pointer.load(Ordering::SeqCst);
        let entry = self.get_entry(index).await.expect("the entry is there");
        let data = self.snapshots.get(index).await.ok_or("no snapshot")?;
        Ok((entry, data))
    }

    pub async fn insert_snapshot(&self, index: u64, entry: Entry, data: Arc<[u8]>) {
        #[cfg(fixed)]
        let _snapshot = self.snapshot_lock.write().await;
        self.snapshots.save(index, data).await;
        self.entries.write().await.insert(index, entry);
        self.snapshot_pointer.store(index, Ordering::SeqCst);
        self.entries.write().await.retain(|at, _| *at >= index);
        self.snapshots.delete_before(index).await;
    }
}
