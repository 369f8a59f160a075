//! Tickets, as far as the cases use it.
use std::collections::HashMap;
use std::sync::Mutex;
struct Inner {
    next: u64,
    pending: HashMap<u64, String>,
}
pub struct Rpc {
    inner: Mutex<Inner>,
}
impl Rpc {
    pub fn call(&self, request: &str) -> u64 {
        let id = {
            let mut inner = self.inner.lock().unwrap();
            inner.next += 1;
            inner.next
        };
        let text = format!("{id}:{request}");
        self.inner.lock().unwrap().pending.insert(id, text);
        id
    }
    pub fn answer(&self, id: u64) -> Option<String> {
        self.inner.lock().unwrap().pending.remove(&id)
    }
}
