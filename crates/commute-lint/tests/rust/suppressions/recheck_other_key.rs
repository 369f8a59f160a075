//! The second look is at the alias, and what is written is the name.
//@ suppression: Recheck
//@ finding: define
use std::collections::HashMap;
use std::sync::RwLock;
pub struct Symbols {
    table: RwLock<HashMap<u32, u64>>,
}
fn evaluate(name: u32) -> u64 {
    u64::from(name) * 3
}
impl Symbols {
    pub fn define(&self, name: u32, alias: u32) -> bool {
        if self.table.read().unwrap().contains_key(&name) {
            return false;
        }
        let value = evaluate(name);
        let mut table = self.table.write().unwrap();
        #[cfg(not(fixed))]
        if table.contains_key(&alias) {
            return false;
        }
        #[cfg(fixed)]
        if table.contains_key(&alias) || table.contains_key(&name) {
            return false;
        }
        table.insert(name, value);
        true
    }
}
