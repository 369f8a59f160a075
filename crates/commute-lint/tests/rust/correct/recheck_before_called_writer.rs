//! Looked at again under the write lock, and written by a function that is
//! called with the guard or what it guards.
use std::collections::HashMap;
use std::sync::{RwLock, RwLockWriteGuard};

#[derive(Default)]
pub struct Registry {
    names: RwLock<HashMap<String, u64>>,
}

fn add(names: &mut HashMap<String, u64>, name: &str) {
    let next = names.len() as u64;
    names.insert(name.to_owned(), next);
}

fn finish(mut names: RwLockWriteGuard<'_, HashMap<String, u64>>, name: &str) {
    names.insert(name.to_owned(), 0);
}

impl Registry {
    fn knows(&self, name: &str) -> bool {
        self.names.read().unwrap().contains_key(name)
    }

    pub fn register(&self, name: &str) {
        if self.knows(name) {
            return;
        }
        let mut names = self.names.write().unwrap();
        if names.contains_key(name) {
            return;
        }
        add(&mut names, name);
    }

    pub fn reserve(&self, name: &str) {
        if self.knows(name) {
            return;
        }
        let names = self.names.write().unwrap();
        if names.contains_key(name) {
            return;
        }
        finish(names, name);
    }
}
