//! Whether somebody is logged in is known to one lock, what he may do is written
//! under another.
//@ depends: allow
//@ remains: login
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, RwLock};
pub struct Server {
    users: RwLock<HashSet<u32>>,
    rights: Mutex<HashMap<u32, u8>>,
}
impl Server {
    pub fn allow(&self, user: u32, right: u8) -> bool {
        if !self.users.read().unwrap().contains(&user) {
            return false;
        }
        self.rights.lock().unwrap().insert(user, right);
        true
    }
    pub fn login(&self, user: u32) {
        let count = self.users.read().unwrap().len();
        if count < 10 {
            self.users.write().unwrap().insert(user);
        }
    }
    pub fn logout(&self, user: u32) {
        self.users.write().unwrap().remove(&user);
        self.rights.lock().unwrap().remove(&user);
    }
}
