//! Templates are compiled at the first request. A look at `closed` under the
//! second lock says nothing about the template.
//@ suppression: Recheck
//@ finding: load
use std::collections::HashMap;
use std::sync::{Arc, RwLock};
struct Inner {
    compiled: HashMap<String, Arc<str>>,
    closed: bool,
}
pub struct Templates {
    inner: RwLock<Inner>,
}
fn compile(name: &str) -> Arc<str> {
    Arc::from(name.to_uppercase())
}
impl Templates {
    pub fn load(&self, name: &str) -> Arc<str> {
        if let Some(known) = self.inner.read().unwrap().compiled.get(name) {
            return known.clone();
        }
        let made = compile(name);
        let mut inner = self.inner.write().unwrap();
        #[cfg(not(fixed))]
        if inner.closed {
            return made;
        }
        #[cfg(fixed)]
        if let Some(first) = inner.compiled.get(name) {
            return first.clone();
        }
        inner.compiled.insert(name.to_owned(), made.clone());
        made
    }
    pub fn close(&self) {
        self.inner.write().unwrap().closed = true;
    }
}
