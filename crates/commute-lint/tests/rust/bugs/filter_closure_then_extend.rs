//! filter closure then extend.
//@ finding: Known::add_all
use std::collections::HashSet;
use std::sync::RwLock;
pub struct Known {
    hashes: RwLock<HashSet<u64>>,
}
impl Known {
    #[cfg(not(fixed))]
    pub fn add_all(&self, offered: Vec<u64>) -> Vec<u64> {
        let new: Vec<u64> = offered
            .into_iter()
            .filter(|hash| !self.hashes.read().unwrap().contains(hash))
            .collect();
        let mut hashes = self.hashes.write().unwrap();
        for hash in &new {
            hashes.insert(*hash);
        }
        new
    }
    #[cfg(fixed)]
    pub fn add_all(&self, offered: Vec<u64>) -> Vec<u64> {
        let mut hashes = self.hashes.write().unwrap();
        offered
            .into_iter()
            .filter(|hash| hashes.insert(*hash))
            .collect()
    }
}
