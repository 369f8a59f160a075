//! The catalog of a search engine is kept in files. A change copies the index
//! from the cache, applies a closure, writes the file and puts the copy into
//! the cache; two that publish at the same time lose the splits of one. Each
//! index now has a lock that is held from the copy to the end.
//@ finding: Metastore::mutate
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Mutex, RwLock};

#[derive(Clone, Default)]
pub struct Index {
    splits: Vec<String>,
    checkpoint: u64,
}

#[derive(Default)]
pub struct Metastore {
    #[cfg(not(fixed))]
    indexes: RwLock<HashMap<String, Index>>,
    #[cfg(fixed)]
    indexes: RwLock<HashMap<String, Arc<Mutex<Index>>>>,
}

async fn write_file(index: &Index) -> Result<(), String> {
    tokio::task::yield_now().await;
    (index.splits.len() < 1000)
        .then_some(())
        .ok_or("full".to_owned())
}

impl Metastore {
    #[cfg(not(fixed))]
    async fn mutate(&self, name: &str, change: impl FnOnce(&mut Index)) -> Result<(), String> {
        let mut index = self.indexes.read().await.get(name).cloned().ok_or("none")?;
        change(&mut index);
        write_file(&index).await?;
        self.indexes.write().await.insert(name.to_owned(), index);
        Ok(())
    }

    #[cfg(fixed)]
    async fn mutate(&self, name: &str, change: impl FnOnce(&mut Index)) -> Result<(), String> {
        let locked = self.indexes.read().await.get(name).cloned().ok_or("none")?;
        let mut current = locked.lock().await;
        let mut index = current.clone();
        change(&mut index);
        write_file(&index).await?;
        *current = index;
        Ok(())
    }

    pub async fn publish(&self, name: &str, split: String) -> Result<(), String> {
        self.mutate(name, |index| {
            index.splits.push(split);
            index.checkpoint += 1;
        })
        .await
    }
}
