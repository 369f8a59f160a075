//! Remove result tested, as far as the cases use it.
use std::collections::HashMap;
use std::sync::Mutex;
pub struct Waiters {
    map: Mutex<HashMap<u32, String>>,
}
impl Waiters {
    pub fn has(&self, id: u32) -> bool {
        self.map.lock().unwrap().contains_key(&id)
    }
    pub fn wake(&self, id: u32) -> bool {
        if !self.has(id) {
            return false;
        }
        match self.map.lock().unwrap().remove(&id) {
            Some(name) => !name.is_empty(),
            None => false,
        }
    }
    pub fn add(&self, id: u32, name: &str) {
        self.map.lock().unwrap().insert(id, name.to_owned());
    }
}
