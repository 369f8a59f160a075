//! Snapshots of a file system are limited in number. The number is counted, and
//! the record is published afterwards: two creations take the last place. Now
//! it is counted again after publishing, and taken back if it is too much.
//@ finding: Snapshots::create
use std::collections::BTreeSet;
use std::sync::{Arc, RwLock};

#[derive(Clone, Default)]
pub struct Snapshots {
    records: Arc<RwLock<BTreeSet<u64>>>,
    limit: usize,
}

impl Snapshots {
    fn count(&self) -> usize {
        self.records.read().unwrap().len()
    }

    fn publish(&self, id: u64) {
        self.records.write().unwrap().insert(id);
    }

    pub fn release(&self, id: u64) {
        self.records.write().unwrap().remove(&id);
    }

    #[cfg(not(fixed))]
    pub fn create(&self, id: u64) -> Result<(), String> {
        if self.count() >= self.limit {
            return Err("the limit is reached".to_owned());
        }
        self.publish(id);
        Ok(())
    }

    #[cfg(fixed)]
    pub fn create(&self, id: u64) -> Result<(), String> {
        self.publish(id);
        if self.count() > self.limit {
            self.release(id);
            return Err("the limit is reached".to_owned());
        }
        Ok(())
    }
}
