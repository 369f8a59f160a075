//! Looked at again, but the lock was given back before the write.
//@ suppression: Recheck
//@ finding: enlist
use std::collections::BTreeSet;
use std::sync::Mutex;
pub struct Crew {
    names: Mutex<BTreeSet<String>>,
    most: usize,
}
fn greet(name: &str) {
    std::hint::black_box(name);
}
impl Crew {
    pub fn enlist(&self, name: &str) -> bool {
        if self.names.lock().unwrap().len() >= self.most {
            return false;
        }
        greet(name);
        let names = self.names.lock().unwrap();
        if names.len() >= self.most {
            return false;
        }
        #[cfg(not(fixed))]
        drop(names);
        #[cfg(not(fixed))]
        let mut names = self.names.lock().unwrap();
        #[cfg(fixed)]
        let mut names = names;
        names.insert(name.to_owned());
        true
    }
}
