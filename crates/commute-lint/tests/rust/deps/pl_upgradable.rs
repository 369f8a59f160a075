//! pl upgradable.
//@ finding: Pool::get
use parking_lot::{RwLock, RwLockUpgradableReadGuard};
use std::collections::HashMap;
pub struct Pool {
    map: RwLock<HashMap<String, u32>>,
}
impl Pool {
    #[cfg(not(fixed))]
    pub fn get(&self, name: &str) -> u32 {
        let guard = self.map.read();
        if let Some(id) = guard.get(name) {
            return *id;
        }
        let next = guard.len() as u32;
        drop(guard);
        let mut guard = self.map.write();
        guard.insert(name.to_owned(), next);
        next
    }
    #[cfg(fixed)]
    pub fn get(&self, name: &str) -> u32 {
        let guard = self.map.upgradable_read();
        if let Some(id) = guard.get(name) {
            return *id;
        }
        let next = guard.len() as u32;
        let mut guard = RwLockUpgradableReadGuard::upgrade(guard);
        guard.insert(name.to_owned(), next);
        next
    }
}
