//! Keys of a build system are interned both ways (pants #12159): the forward
//! map is filled before the reverse one, each under its own lock, so a key can
//! be seen that the reverse map does not know. The reverse map is filled while
//! the forward map is locked.
//@ finding: Interns
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, RwLock};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    id: u64,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct InternKey {
    hash: i64,
    text: Arc<str>,
}

impl InternKey {
    pub fn new(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("empty".to_owned());
        }
        let hash = text.bytes().fold(0, |sum: i64, byte| sum ^ i64::from(byte));
        Ok(InternKey {
            hash,
            text: text.into(),
        })
    }
}

#[derive(Default)]
pub struct Interns {
    forward_keys: Mutex<HashMap<InternKey, Key>>,
    reverse_keys: RwLock<HashMap<Key, Arc<str>>>,
}

impl Interns {
    #[cfg(not(fixed))]
    pub fn key_insert(&self, text: &str) -> Result<Key, String> {
        let intern_key = InternKey::new(text)?;
        let value = intern_key.text.clone();
        let key = {
            let mut forward = self.forward_keys.lock().unwrap();
            let next = Key {
                id: forward.len() as u64,
            };
            *forward.entry(intern_key).or_insert(next)
        };
        self.reverse_keys
            .write()
            .unwrap()
            .entry(key)
            .or_insert(value);
        Ok(key)
    }

    #[cfg(fixed)]
    pub fn key_insert(&self, text: &str) -> Result<Key, String> {
        let intern_key = InternKey::new(text)?;
        let value = intern_key.text.clone();
        let mut forward = self.forward_keys.lock().unwrap();
        if let Some(key) = forward.get(&intern_key) {
            return Ok(*key);
        }
        let key = Key {
            id: forward.len() as u64,
        };
        self.reverse_keys.write().unwrap().insert(key, value);
        forward.insert(intern_key, key);
        Ok(key)
    }

    pub fn key_get(&self, key: &Key) -> Arc<str> {
        let reverse = self.reverse_keys.read().unwrap();
        let found = reverse.get(key).cloned();
        found.unwrap_or_else(|| panic!("previously memoized object disappeared for {key:?}"))
    }
}
