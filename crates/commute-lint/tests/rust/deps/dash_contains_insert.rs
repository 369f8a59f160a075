//! dash contains insert.
//@ finding: Cache::load
use dashmap::DashMap;
use std::sync::Arc;
pub struct Cache {
    map: DashMap<String, Arc<Vec<u8>>>,
}
fn read(name: &str) -> Vec<u8> {
    name.into()
}
impl Cache {
    #[cfg(not(fixed))]
    pub fn load(&self, name: &str) -> Arc<Vec<u8>> {
        if let Some(found) = self.map.get(name) {
            return found.value().clone();
        }
        let made = Arc::new(read(name));
        self.map.insert(name.to_owned(), made.clone());
        made
    }
    #[cfg(fixed)]
    pub fn load(&self, name: &str) -> Arc<Vec<u8>> {
        if let Some(found) = self.map.get(name) {
            return found.value().clone();
        }
        self.map
            .entry(name.to_owned())
            .or_insert_with(|| Arc::new(read(name)))
            .value()
            .clone()
    }
}
