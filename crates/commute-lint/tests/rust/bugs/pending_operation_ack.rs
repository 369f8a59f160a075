//! A replicated key-value store counts the answers of its replicas for each
//! operation. Whether the operation is still there is asked under the read
//! lock, and the write lock is taken afterwards: the last answer has removed it
//! by then, and `unwrap` panics under load.
//@ finding: Databases::acknowledge
use std::collections::HashMap;
use std::sync::RwLock;

pub struct Pending {
    message: String,
    acknowledged: usize,
    replicas: usize,
}

#[derive(Default)]
pub struct Databases {
    pending: RwLock<HashMap<u64, Pending>>,
}

impl Databases {
    pub fn register(&self, id: u64, message: String, replicas: usize) {
        let pending = Pending {
            message,
            acknowledged: 0,
            replicas,
        };
        self.pending.write().unwrap().insert(id, pending);
    }

    #[cfg(not(fixed))]
    pub fn acknowledge(&self, id: u64) -> Option<String> {
        let exists = { self.pending.read().unwrap().contains_key(&id) };
        if !exists {
            return None;
        }
        let mut pending = self.pending.write().unwrap();
        let operation = pending.get_mut(&id).unwrap();
        operation.acknowledged += 1;
        if operation.acknowledged == operation.replicas {
            return pending.remove(&id).map(|operation| operation.message);
        }
        None
    }

    #[cfg(fixed)]
    pub fn acknowledge(&self, id: u64) -> Option<String> {
        let mut pending = self.pending.write().unwrap();
        let operation = pending.get_mut(&id)?;
        operation.acknowledged += 1;
        if operation.acknowledged == operation.replicas {
            return pending.remove(&id).map(|operation| operation.message);
        }
        None
    }
}
