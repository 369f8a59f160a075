//! An assertion notices, too, but what it does about it is to panic.
//@ suppression: Noticed
//@ finding: add
use std::collections::HashSet;
use std::sync::Mutex;
pub struct Members {
    names: Mutex<HashSet<String>>,
}
fn invite(name: &str) {
    std::hint::black_box(name);
}
impl Members {
    pub fn add(&self, name: &str) -> Result<(), String> {
        if self.names.lock().unwrap().contains(name) {
            return Err(format!("{name} is a member"));
        }
        invite(name);
        let mut names = self.names.lock().unwrap();
        #[cfg(not(fixed))]
        {
            let is_new = names.insert(name.to_owned());
            assert!(is_new, "{name} was added twice");
        }
        #[cfg(fixed)]
        if !names.insert(name.to_owned()) {
            return Err(format!("{name} is a member"));
        }
        Ok(())
    }
}
