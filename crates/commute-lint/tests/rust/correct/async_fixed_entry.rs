//! Async fixed entry, as far as the cases use it.
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
#[derive(Clone, Default)]
pub struct Dns {
    cache: Arc<Mutex<HashMap<String, u32>>>,
}
async fn resolve(name: &str) -> Option<u32> {
    name.parse().ok()
}
impl Dns {
    pub async fn lookup(&self, name: &str) -> Option<u32> {
        let cached = self.cache.lock().unwrap().get(name).copied();
        if cached.is_some() {
            return cached;
        }
        let address = resolve(name).await?;
        Some(
            *self
                .cache
                .lock()
                .unwrap()
                .entry(name.to_owned())
                .or_insert(address),
        )
    }
}
