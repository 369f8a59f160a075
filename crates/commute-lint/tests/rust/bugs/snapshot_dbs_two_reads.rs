//! Snapshots that are open are kept weakly (conflux-rust #3209): it is asked in
//! one read whether one is there, and fetched in the next. Another thread may
//! have closed it. One read gets it now.
//@ finding: SnapshotDbManager::open_snapshot
use std::collections::HashMap;
use std::sync::{Arc, RwLock, Weak};

pub type EpochId = [u8; 32];

pub struct SnapshotDb {
    pub path: String,
    pub height: u64,
}

pub struct SnapshotDbManager {
    already_open: Arc<RwLock<HashMap<EpochId, Option<Weak<SnapshotDb>>>>>,
    path: String,
}

pub type Result<T> = std::result::Result<T, String>;

impl SnapshotDbManager {
    fn path_of(&self, id: &EpochId) -> Result<String> {
        if self.path.is_empty() {
            return Err("no directory".to_owned());
        }
        Ok(format!("{}/{:02x}", self.path, id[0]))
    }

    fn on_open(&self, id: &EpochId, db: &Arc<SnapshotDb>) {
        let mut open = self.already_open.write().unwrap();
        open.insert(*id, Some(Arc::downgrade(db)));
    }

    #[cfg(not(fixed))]
    pub fn open_snapshot(&self, id: &EpochId) -> Result<Option<Arc<SnapshotDb>>> {
        if self.already_open.read().unwrap().get(id).is_some() {
            let open = self.already_open.read().unwrap();
            return match open.get(id).unwrap() {
                None => Err("is being written".to_owned()),
                Some(db) => Ok(db.upgrade()),
            };
        }
        let path = self.path_of(id)?;
        let db = Arc::new(SnapshotDb { path, height: 0 });
        self.on_open(id, &db);
        Ok(Some(db))
    }

    #[cfg(fixed)]
    pub fn open_snapshot(&self, id: &EpochId) -> Result<Option<Arc<SnapshotDb>>> {
        let mut open = self.already_open.write().unwrap();
        if let Some(found) = open.get(id) {
            return match found {
                None => Err("is being written".to_owned()),
                Some(db) => Ok(db.upgrade()),
            };
        }
        let path = self.path_of(id)?;
        let db = Arc::new(SnapshotDb { path, height: 0 });
        open.insert(*id, Some(Arc::downgrade(&db)));
        Ok(Some(db))
    }

    pub fn on_close(&self, id: &EpochId) {
        let mut open = self.already_open.write().unwrap();
        open.remove(id);
    }
}
