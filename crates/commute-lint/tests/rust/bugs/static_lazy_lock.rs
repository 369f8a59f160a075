//! static lazy lock.
//@ finding: register
use std::collections::BTreeMap;
use std::sync::{LazyLock, RwLock};
static TYPES: LazyLock<RwLock<BTreeMap<String, u32>>> =
    LazyLock::new(|| RwLock::new(BTreeMap::new()));
#[cfg(not(fixed))]
pub fn register(name: &str, id: u32) -> Result<(), u32> {
    if let Some(old) = TYPES.read().unwrap().get(name) {
        return Err(*old);
    }
    TYPES.write().unwrap().insert(name.to_string(), id);
    Ok(())
}
#[cfg(fixed)]
pub fn register(name: &str, id: u32) -> Result<(), u32> {
    use std::collections::btree_map::Entry;
    match TYPES.write().unwrap().entry(name.to_string()) {
        Entry::Occupied(old) => Err(*old.get()),
        Entry::Vacant(free) => {
            free.insert(id);
            Ok(())
        }
    }
}
