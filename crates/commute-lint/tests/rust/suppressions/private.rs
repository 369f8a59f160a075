//! Nobody else has a registry that is still being built, unless a thread was
//! given it.
//@ suppression: Private
//@ finding: with_defaults
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
pub struct Registry {
    names: Mutex<BTreeSet<String>>,
}
impl Registry {
    pub fn has(&self, name: &str) -> bool {
        self.names.lock().unwrap().contains(name)
    }
    pub fn add(&self, name: &str) {
        self.names.lock().unwrap().insert(name.to_owned());
    }
    pub fn drop_all(&self) {
        self.names.lock().unwrap().clear();
    }
    pub fn with_defaults(names: &[&str]) -> Arc<Registry> {
        let registry = Arc::new(Registry {
            names: Mutex::new(BTreeSet::new()),
        });
        #[cfg(not(fixed))]
        {
            let cleaner = Arc::clone(&registry);
            std::thread::spawn(move || cleaner.drop_all());
        }
        for name in names {
            if !registry.has(name) {
                registry.add(name);
            }
        }
        registry
    }
}
