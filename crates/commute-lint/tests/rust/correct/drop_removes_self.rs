//! Drop removes self, as far as the cases use it.
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
struct Shared {
    live: Mutex<HashMap<u64, String>>,
    next: Mutex<u64>,
}
pub struct Table {
    shared: Arc<Shared>,
}
pub struct Entry {
    shared: Arc<Shared>,
    id: u64,
}
impl Table {
    pub fn register(&self, name: &str) -> Entry {
        let id = {
            let mut next = self.shared.next.lock().unwrap();
            *next += 1;
            *next
        };
        self.shared.live.lock().unwrap().insert(id, name.to_owned());
        Entry {
            shared: self.shared.clone(),
            id,
        }
    }
}
impl Drop for Entry {
    fn drop(&mut self) {
        self.shared.live.lock().unwrap().remove(&self.id);
    }
}
