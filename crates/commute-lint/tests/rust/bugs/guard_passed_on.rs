//! A cache is filled in a closure that runs if nothing was found. The guard goes
//! through a function of another crate first, which has no business with what is
//! in it. `insert` replaces what another thread put there; `entry` keeps it.
//@ finding: Names::get
use std::collections::HashMap;
use std::convert::identity;
use std::sync::{Arc, RwLock};

pub struct Names {
    known: RwLock<HashMap<u32, Arc<String>>>,
}

impl Names {
    pub fn get(&self, key: u32) -> Arc<String> {
        let found = identity(self.known.read().unwrap()).get(&key).cloned();
        found.unwrap_or_else(|| {
            let mut known = identity(self.known.write().unwrap());
            #[cfg(not(fixed))]
            {
                let made = Arc::new(key.to_string());
                known.insert(key, Arc::clone(&made));
                made
            }
            #[cfg(fixed)]
            known
                .entry(key)
                .or_insert_with(|| Arc::new(key.to_string()))
                .clone()
        })
    }

    pub fn forget(&self, key: u32) {
        self.known.write().unwrap().remove(&key);
    }
}
