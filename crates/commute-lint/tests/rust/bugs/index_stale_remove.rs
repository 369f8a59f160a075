//! index stale remove.
//@ finding: Slots::evict_oldest
use std::sync::Mutex;
#[derive(Clone)]
pub struct Entry {
    key: String,
    age: u64,
}
pub struct Slots {
    entries: Mutex<Vec<Entry>>,
}
impl Slots {
    pub fn add(&self, key: &str, age: u64) {
        self.entries.lock().unwrap().push(Entry {
            key: key.into(),
            age,
        });
    }
    #[cfg(not(fixed))]
    pub fn evict_oldest(&self) -> Option<String> {
        let index = {
            let entries = self.entries.lock().unwrap();
            entries
                .iter()
                .enumerate()
                .max_by_key(|(_, entry)| entry.age)
                .map(|(index, _)| index)?
        };
        let entry = self.entries.lock().unwrap().remove(index);
        Some(entry.key)
    }
    #[cfg(fixed)]
    pub fn evict_oldest(&self) -> Option<String> {
        let mut entries = self.entries.lock().unwrap();
        let index = entries
            .iter()
            .enumerate()
            .max_by_key(|(_, entry)| entry.age)
            .map(|(index, _)| index)?;
        let entry = entries.remove(index);
        Some(entry.key)
    }
}
