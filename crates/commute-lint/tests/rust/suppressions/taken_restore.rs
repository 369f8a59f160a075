//! What `insert` gave back is put back if the new value is of no use, whoever
//! wrote in the meantime.
//@ suppression: Taken
//@ finding: attempt
use std::collections::HashMap;
use std::sync::Mutex;
pub struct Settings {
    values: Mutex<HashMap<String, u64>>,
}
fn works(value: u64) -> bool {
    value % 5 != 0
}
impl Settings {
    pub fn set(&self, name: &str, value: u64) {
        self.values.lock().unwrap().insert(name.to_owned(), value);
    }
    pub fn attempt(&self, name: &str, value: u64) {
        #[cfg(fixed)]
        let mut values = self.values.lock().unwrap();
        #[cfg(not(fixed))]
        let old = self.values.lock().unwrap().insert(name.to_owned(), value);
        #[cfg(fixed)]
        let old = values.insert(name.to_owned(), value);
        if works(value) {
            return;
        }
        if let Some(old) = old {
            #[cfg(not(fixed))]
            self.values.lock().unwrap().insert(name.to_owned(), old);
            #[cfg(fixed)]
            values.insert(name.to_owned(), old);
        }
    }
}
