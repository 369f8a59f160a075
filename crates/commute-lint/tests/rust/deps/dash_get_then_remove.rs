//! dash get then remove.
//@ finding: Sessions::finish
use dashmap::DashMap;
pub struct Sessions {
    map: DashMap<u64, String>,
}
impl Sessions {
    pub fn begin(&self, id: u64, name: String) {
        self.map.insert(id, name);
    }
    #[cfg(not(fixed))]
    pub fn finish(&self, id: u64) -> Option<String> {
        if !self.map.contains_key(&id) {
            return None;
        }
        let (_, name) = self.map.remove(&id).unwrap();
        Some(name)
    }
    #[cfg(fixed)]
    pub fn finish(&self, id: u64) -> Option<String> {
        self.map.remove(&id).map(|(_, name)| name)
    }
}
