//! once cell lazy static.
//@ finding: intern
use once_cell::sync::Lazy;
use parking_lot::Mutex;
use std::collections::HashMap;
static NAMES: Lazy<Mutex<HashMap<String, usize>>> = Lazy::new(|| Mutex::new(HashMap::new()));
#[cfg(not(fixed))]
pub fn intern(name: &str) -> usize {
    if let Some(id) = NAMES.lock().get(name).copied() {
        return id;
    }
    let mut names = NAMES.lock();
    let id = names.len();
    names.insert(name.to_owned(), id);
    id
}
#[cfg(fixed)]
pub fn intern(name: &str) -> usize {
    let mut names = NAMES.lock();
    if let Some(id) = names.get(name).copied() {
        return id;
    }
    let id = names.len();
    names.insert(name.to_owned(), id);
    id
}
