//! A backend of a cache says whether a deletion has deleted something. It asks
//! whether the key is there and deletes it: two deletions at once both say that
//! they did it. The result of the removal says so now.
//@ finding: Backend::delete
use dashmap::DashMap;
use std::sync::Arc;

#[derive(PartialEq)]
pub enum DeleteStatus {
    Deleted(u32),
    Missing,
}

#[derive(Clone, Default)]
pub struct Backend {
    values: Arc<DashMap<String, Vec<u8>>>,
}

impl Backend {
    pub fn write(&self, key: &str, value: Vec<u8>) {
        self.values.insert(key.to_owned(), value);
    }

    #[cfg(not(fixed))]
    pub async fn delete(&self, key: &str) -> DeleteStatus {
        let exists = self.values.contains_key(key);
        if exists {
            self.values.remove(key);
            DeleteStatus::Deleted(1)
        } else {
            DeleteStatus::Missing
        }
    }

    #[cfg(fixed)]
    pub async fn delete(&self, key: &str) -> DeleteStatus {
        match self.values.remove(key) {
            Some(_) => DeleteStatus::Deleted(1),
            None => DeleteStatus::Missing,
        }
    }
}
