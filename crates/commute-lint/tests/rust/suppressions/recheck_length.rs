//! How many names there are was looked at again, not whether this one is there.
//@ suppression: Recheck
//@ finding: register
use std::collections::BTreeMap;
use std::sync::Mutex;
const MOST: usize = 64;
pub struct Names {
    owners: Mutex<BTreeMap<String, u64>>,
}
fn approve(name: &str, owner: u64) -> bool {
    name.len() as u64 > owner % 7
}
impl Names {
    pub fn register(&self, name: &str, owner: u64) -> bool {
        let is_taken = self.owners.lock().unwrap().contains_key(name);
        if is_taken || !approve(name, owner) {
            return false;
        }
        let mut owners = self.owners.lock().unwrap();
        #[cfg(not(fixed))]
        if owners.len() >= MOST {
            return false;
        }
        #[cfg(fixed)]
        if owners.contains_key(name) || owners.len() >= MOST {
            return false;
        }
        owners.insert(name.to_owned(), owner);
        true
    }
    pub fn owner(&self, name: &str) -> Option<u64> {
        self.owners.lock().unwrap().get(name).copied()
    }
}
