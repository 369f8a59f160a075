//! Keys of a state store are interned by weak pointers. A reader that finds no
//! living one makes a new one under the write lock without looking again: two
//! threads have two different objects for one key, and comparing by address
//! fails.
//@ finding: Registry::get_or_add
use std::collections::HashMap;
use std::sync::{Arc, RwLock, Weak};

pub struct Key {
    pub path: String,
}

#[derive(Default)]
pub struct Registry {
    keys: RwLock<HashMap<String, Weak<Key>>>,
}

impl Registry {
    fn try_get(&self, path: &str) -> Option<Arc<Key>> {
        self.keys.read().unwrap().get(path).and_then(Weak::upgrade)
    }

    #[cfg(not(fixed))]
    fn lock_and_add(&self, path: &str) -> Arc<Key> {
        let key = Arc::new(Key {
            path: path.to_owned(),
        });
        let mut keys = self.keys.write().unwrap();
        keys.insert(path.to_owned(), Arc::downgrade(&key));
        key
    }

    #[cfg(fixed)]
    fn lock_and_add(&self, path: &str) -> Arc<Key> {
        let key = Arc::new(Key {
            path: path.to_owned(),
        });
        let mut keys = self.keys.write().unwrap();
        if let Some(other) = keys.get(path).and_then(Weak::upgrade) {
            return other;
        }
        keys.insert(path.to_owned(), Arc::downgrade(&key));
        key
    }

    pub fn get_or_add(&self, path: &str) -> Arc<Key> {
        if let Some(key) = self.try_get(path) {
            return key;
        }
        self.lock_and_add(path)
    }

    pub fn sweep(&self) {
        let mut keys = self.keys.write().unwrap();
        keys.retain(|_, key| key.strong_count() > 0);
    }
}
