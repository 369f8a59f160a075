//! Double checked entry, as far as the cases use it.
use std::collections::HashMap;
use std::sync::{Arc, RwLock};
pub struct Pool {
    map: RwLock<HashMap<String, Arc<String>>>,
}
impl Pool {
    pub fn get(&self, name: &str) -> Arc<String> {
        if let Some(found) = self.map.read().unwrap().get(name) {
            return Arc::clone(found);
        }
        let made = Arc::new(name.to_uppercase());
        let mut map = self.map.write().unwrap();
        Arc::clone(map.entry(name.to_owned()).or_insert(made))
    }
}
