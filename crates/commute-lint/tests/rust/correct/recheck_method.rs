//! The second look is in a helper that is given the guard.
use std::collections::HashMap;
use std::sync::RwLock;
struct Inner {
    map: HashMap<String, u32>,
    next: u32,
}
pub struct Ids {
    inner: RwLock<Inner>,
}
fn find(inner: &Inner, name: &str) -> Option<u32> {
    inner.map.get(name).copied()
}
impl Ids {
    pub fn id(&self, name: &str) -> u32 {
        if let Some(id) = find(&self.inner.read().unwrap(), name) {
            return id;
        }
        let mut inner = self.inner.write().unwrap();
        if let Some(id) = find(&inner, name) {
            return id;
        }
        inner.next += 1;
        let id = inner.next;
        inner.map.insert(name.to_owned(), id);
        id
    }
}
