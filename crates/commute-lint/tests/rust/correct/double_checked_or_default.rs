//! Double checked or default, as far as the cases use it.
use std::collections::{BTreeMap, BTreeSet};
use std::sync::RwLock;
pub struct Index {
    map: RwLock<BTreeMap<u32, BTreeSet<u64>>>,
}
impl Index {
    pub fn add(&self, term: u32, document: u64) {
        if self
            .map
            .read()
            .unwrap()
            .get(&term)
            .is_some_and(|set| set.contains(&document))
        {
            return;
        }
        self.map
            .write()
            .unwrap()
            .entry(term)
            .or_default()
            .insert(document);
    }
}
