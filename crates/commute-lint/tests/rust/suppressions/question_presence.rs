//! `ok_or(…)?` asks whether somebody is there: that is a decision, whatever it
//! is called.
//@ suppression: Question
//@ finding: rename
use std::collections::HashMap;
use std::sync::RwLock;
pub struct Users {
    names: RwLock<HashMap<u64, String>>,
}
#[derive(Debug)]
pub struct Unknown;
fn is_polite(name: &str) -> bool {
    !name.contains('!')
}
impl Users {
    pub fn rename(&self, id: u64, name: &str) -> Result<(), Unknown> {
        #[cfg(not(fixed))]
        {
            self.names.read().unwrap().get(&id).ok_or(Unknown)?;
            if is_polite(name) {
                self.names.write().unwrap().insert(id, name.to_owned());
            }
        }
        #[cfg(fixed)]
        if is_polite(name) {
            let mut names = self.names.write().unwrap();
            *names.get_mut(&id).ok_or(Unknown)? = name.to_owned();
        }
        Ok(())
    }
    pub fn remove(&self, id: u64) {
        self.names.write().unwrap().remove(&id);
    }
}
