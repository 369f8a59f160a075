//! In edition 2024 the guard of `if let` is gone in `else`.
//@ finding: Names::resolve
use std::collections::HashMap;
use std::sync::Mutex;
pub struct Names {
    map: Mutex<HashMap<String, u32>>,
    next: Mutex<u32>,
}
impl Names {
    #[cfg(not(fixed))]
    pub fn resolve(&self, name: &str) -> u32 {
        if let Some(id) = self.map.lock().unwrap().get(name) {
            *id
        } else {
            let mut next = self.next.lock().unwrap();
            *next += 1;
            self.map.lock().unwrap().insert(name.to_owned(), *next);
            *next
        }
    }
    #[cfg(fixed)]
    pub fn resolve(&self, name: &str) -> u32 {
        let mut map = self.map.lock().unwrap();
        if let Some(id) = map.get(name) {
            *id
        } else {
            let mut next = self.next.lock().unwrap();
            *next += 1;
            map.insert(name.to_owned(), *next);
            *next
        }
    }
}
