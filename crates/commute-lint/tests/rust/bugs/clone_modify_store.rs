//! Copied out, changed, written back whole.
//@ finding: Settings::set
use std::collections::HashMap;
use std::sync::{Arc, RwLock};
pub struct Settings {
    values: RwLock<Arc<HashMap<String, String>>>,
}
impl Settings {
    pub fn snapshot(&self) -> Arc<HashMap<String, String>> {
        self.values.read().unwrap().clone()
    }
    #[cfg(not(fixed))]
    pub fn set(&self, key: &str, value: &str) {
        let mut values = (*self.snapshot()).clone();
        values.insert(key.to_owned(), value.to_owned());
        *self.values.write().unwrap() = Arc::new(values);
    }
    #[cfg(fixed)]
    pub fn set(&self, key: &str, value: &str) {
        let mut guard = self.values.write().unwrap();
        let mut values = (**guard).clone();
        values.insert(key.to_owned(), value.to_owned());
        *guard = Arc::new(values);
    }
}
