//! The new symbol is the length that another region saw.
//@ finding: Interner::intern
use std::collections::HashMap;
use std::sync::RwLock;
#[derive(Default)]
pub struct Interner {
    map: RwLock<HashMap<String, usize>>,
    strings: RwLock<Vec<String>>,
}
impl Interner {
    #[cfg(not(fixed))]
    pub fn intern(&self, text: &str) -> usize {
        if let Some(id) = self.map.read().unwrap().get(text) {
            return *id;
        }
        let id = self.strings.read().unwrap().len();
        self.strings.write().unwrap().push(text.to_owned());
        self.map.write().unwrap().insert(text.to_owned(), id);
        id
    }
    #[cfg(fixed)]
    pub fn intern(&self, text: &str) -> usize {
        if let Some(id) = self.map.read().unwrap().get(text) {
            return *id;
        }
        let mut map = self.map.write().unwrap();
        if let Some(id) = map.get(text) {
            return *id;
        }
        let mut strings = self.strings.write().unwrap();
        let id = strings.len();
        strings.push(text.to_owned());
        map.insert(text.to_owned(), id);
        id
    }
}
