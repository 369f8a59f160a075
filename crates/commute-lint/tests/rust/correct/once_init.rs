//! Once init, as far as the cases use it.
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};
static TABLE: OnceLock<HashMap<&'static str, u32>> = OnceLock::new();
static LOG: OnceLock<Mutex<Vec<u32>>> = OnceLock::new();
pub fn code(name: &str) -> Option<u32> {
    let table = TABLE.get_or_init(|| HashMap::from([("a", 1), ("b", 2)]));
    let found = table.get(name).copied();
    if let Some(code) = found {
        LOG.get_or_init(Mutex::default).lock().unwrap().push(code);
    }
    found
}
