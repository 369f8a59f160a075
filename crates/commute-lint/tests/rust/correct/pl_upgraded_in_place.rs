//! An upgradable lock is not released between the look and the change.
use parking_lot::{RwLock, RwLockUpgradableReadGuard};
use std::collections::HashMap;

#[derive(Default)]
pub struct Symbols {
    names: RwLock<HashMap<String, u32>>,
}

impl Symbols {
    pub fn intern(&self, name: &str) -> u32 {
        let names = self.names.upgradable_read();
        if let Some(id) = names.get(name) {
            return *id;
        }
        let id = names.len() as u32;
        let mut names = RwLockUpgradableReadGuard::upgrade(names);
        names.insert(name.to_owned(), id);
        id
    }
    pub fn len(&self) -> usize {
        self.names.read().len()
    }
    pub fn clear(&self) {
        self.names.write().clear();
    }
}
