//! The lock hides behind helpers that return guards.
//@ finding: Store::bump
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};
type Map = BTreeMap<String, u64>;
#[derive(Clone)]
pub struct Store {
    inner: Arc<RwLock<Map>>,
}
impl Store {
    fn read(&self) -> RwLockReadGuard<'_, Map> {
        self.inner.read().unwrap_or_else(|e| e.into_inner())
    }
    fn write(&self) -> RwLockWriteGuard<'_, Map> {
        self.inner.write().unwrap_or_else(|e| e.into_inner())
    }
    #[cfg(not(fixed))]
    pub fn bump(&self, key: &str) -> u64 {
        let old = self.read().get(key).copied().unwrap_or(0);
        self.write().insert(key.to_owned(), old + 1);
        old + 1
    }
    #[cfg(fixed)]
    pub fn bump(&self, key: &str) -> u64 {
        let mut map = self.write();
        let old = map.get(key).copied().unwrap_or(0);
        map.insert(key.to_owned(), old + 1);
        old + 1
    }
}
