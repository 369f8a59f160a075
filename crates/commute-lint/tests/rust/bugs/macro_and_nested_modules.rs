//! Types of one name in two modules.
//@ finding: Manager::attach
use std::sync::{Arc, RwLock};
pub mod store {
    use std::collections::HashMap;
    #[derive(Default)]
    pub struct Inner {
        pub disks: HashMap<String, u64>,
        pub order: Vec<String>,
    }
}
pub mod net {
    pub struct Inner {
        pub port: u16,
    }
    impl Inner {
        pub fn has(&self, _: &str) -> bool {
            self.port > 0
        }
    }
}
impl store::Inner {
    fn has(&self, name: &str) -> bool {
        self.disks.contains_key(name)
    }
}
pub struct Manager {
    inner: Arc<RwLock<store::Inner>>,
}
impl Manager {
    #[cfg(not(fixed))]
    pub fn attach(&self, name: &str, size: u64) -> Result<(), String> {
        if self.inner.read().unwrap().has(name) {
            return Err(format!("{name} is attached"));
        }
        let mut inner = self.inner.write().unwrap();
        inner.disks.insert(name.to_owned(), size);
        inner.order.push(name.to_owned());
        Ok(())
    }
    #[cfg(fixed)]
    pub fn attach(&self, name: &str, size: u64) -> Result<(), String> {
        let mut inner = self.inner.write().unwrap();
        if inner.has(name) {
            return Err(format!("{name} is attached"));
        }
        inner.disks.insert(name.to_owned(), size);
        inner.order.push(name.to_owned());
        Ok(())
    }
}
