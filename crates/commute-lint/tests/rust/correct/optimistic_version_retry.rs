//! Computed outside of the lock, stored only if nothing changed.
use std::sync::Mutex;
struct Doc {
    version: u64,
    text: String,
}
pub struct Shared {
    doc: Mutex<Doc>,
}
impl Shared {
    pub fn edit(&self, f: impl Fn(&str) -> String) {
        loop {
            let (version, text) = {
                let doc = self.doc.lock().unwrap();
                (doc.version, doc.text.clone())
            };
            let new = f(&text);
            let mut doc = self.doc.lock().unwrap();
            if doc.version != version {
                continue;
            }
            doc.text = new;
            doc.version += 1;
            return;
        }
    }
}
