//! What is known of one key decides about another, or about the same under
//! another name.
//@ suppression: OtherKey
//@ finding: register
use std::collections::HashMap;
use std::sync::Mutex;
pub struct Doors {
    owners: Mutex<HashMap<String, u32>>,
}
fn is_free(name: &str) -> bool {
    name.len() > 3
}
impl Doors {
    pub fn register(&self, door: &str, guest: &str, owner: u32) -> bool {
        let key = door.to_owned();
        if self.owners.lock().unwrap().contains_key(&key) {
            return false;
        }
        if !is_free(guest) {
            return false;
        }
        #[cfg(not(fixed))]
        self.owners.lock().unwrap().insert(key, owner);
        #[cfg(fixed)]
        self.owners.lock().unwrap().insert(guest.to_owned(), owner);
        true
    }
    pub fn release(&self, door: &str) {
        self.owners.lock().unwrap().remove(door);
    }
}
