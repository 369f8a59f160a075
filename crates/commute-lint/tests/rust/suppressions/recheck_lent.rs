//! A name is looked up, made without the lock, and kept by a function that is
//! given what the lock guards. That function looks again; if it looks at
//! something else, two get different copies of one name.
//@ suppression: Recheck
//@ finding: Names::intern
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

struct Known {
    names: HashMap<String, Arc<str>>,
    most: usize,
}

pub struct Names {
    known: Mutex<Known>,
}

impl Names {
    pub fn intern(&self, name: &str) {
        if self.known.lock().unwrap().names.contains_key(name) {
            return;
        }
        let made: Arc<str> = Arc::from(name);
        let mut known = self.known.lock().unwrap();
        keep(&mut known, made);
    }
}

#[cfg(not(fixed))]
fn keep(known: &mut Known, made: Arc<str>) {
    if known.most > 0 {
        known.names.insert(made.to_string(), made);
    }
}

#[cfg(fixed)]
fn keep(known: &mut Known, made: Arc<str>) {
    if !known.names.contains_key(&*made) {
        known.names.insert(made.to_string(), made);
    }
}
