//! Double checked match entry, as far as the cases use it.
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::RwLock;
pub struct Names {
    map: RwLock<HashMap<String, u32>>,
}
impl Names {
    pub fn define(&self, name: &str, value: u32) -> Result<(), u32> {
        if let Some(old) = self.map.read().unwrap().get(name) {
            return Err(*old);
        }
        match self.map.write().unwrap().entry(name.to_owned()) {
            Entry::Occupied(old) => Err(*old.get()),
            Entry::Vacant(free) => {
                free.insert(value);
                Ok(())
            }
        }
    }
}
