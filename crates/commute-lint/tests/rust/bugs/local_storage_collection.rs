//! Collections of files of a diagnostic server (opensovd #476): one is looked up
//! under the read lock, and made and inserted under the write lock. Two callers
//! get two, of which one is lost with what is written to it. The map is asked
//! again under the write lock.
//@ finding: get_or_create_collection
use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

#[derive(Debug)]
pub enum StorageError {
    Poisoned,
    InvalidName(String),
}

impl<T> From<std::sync::PoisonError<T>> for StorageError {
    fn from(_: std::sync::PoisonError<T>) -> Self {
        StorageError::Poisoned
    }
}

#[derive(Default)]
pub struct Collection {
    files: Mutex<HashMap<String, Vec<u8>>>,
}

impl Collection {
    pub fn write(&self, name: &str, data: &[u8]) -> Result<(), StorageError> {
        let mut files = self.files.lock()?;
        files.insert(name.to_owned(), data.to_vec());
        Ok(())
    }
}

pub trait Storage: Send + Sync {
    type Collection;
    fn get_or_create_collection(&self, name: &str) -> Result<Arc<Self::Collection>, StorageError>;
    fn delete_collection(&self, name: &str) -> Result<bool, StorageError>;
}

pub struct LocalStorage {
    collections: RwLock<HashMap<String, Arc<Collection>>>,
}

fn validate(name: &str) -> Result<(), StorageError> {
    let fine = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    fine.then_some(())
        .ok_or_else(|| StorageError::InvalidName(name.to_owned()))
}

impl Storage for LocalStorage {
    type Collection = Collection;

    fn get_or_create_collection(&self, name: &str) -> Result<Arc<Collection>, StorageError> {
        validate(name)?;
        {
            let collections = self.collections.read()?;
            if let Some(collection) = collections.get(name) {
                return Ok(Arc::clone(collection));
            }
        }
        let mut collections = self.collections.write()?;
        #[cfg(fixed)]
        if let Some(collection) = collections.get(name) {
            return Ok(Arc::clone(collection));
        }
        let collection = Arc::new(Collection::default());
        collections.insert(name.to_owned(), Arc::clone(&collection));
        Ok(collection)
    }

    fn delete_collection(&self, name: &str) -> Result<bool, StorageError> {
        Ok(self.collections.write()?.remove(name).is_some())
    }
}
