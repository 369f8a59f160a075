//! static once lock map.
//@ finding: lookup
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};
static CACHE: OnceLock<Mutex<HashMap<u64, u64>>> = OnceLock::new();
fn cache() -> &'static Mutex<HashMap<u64, u64>> {
    CACHE.get_or_init(|| Mutex::new(HashMap::new()))
}
#[cfg(not(fixed))]
pub fn lookup(key: u64) -> u64 {
    if !cache().lock().unwrap().contains_key(&key) {
        let value = cache().lock().unwrap().len() as u64;
        cache().lock().unwrap().insert(key, value);
    }
    cache().lock().unwrap()[&key]
}
#[cfg(fixed)]
pub fn lookup(key: u64) -> u64 {
    let mut cache = cache().lock().unwrap();
    let next = cache.len() as u64;
    *cache.entry(key).or_insert(next)
}
pub fn forget(key: u64) {
    cache().lock().unwrap().remove(&key);
}
