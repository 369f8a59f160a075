//! An edit is computed outside of the lock. Whether the document is still the
//! same has to be asked under the lock that stores.
//@ suppression: Validation
//@ finding: edit
use std::sync::Mutex;
struct Document {
    version: u64,
    text: String,
}
pub struct Editor {
    document: Mutex<Document>,
}
impl Editor {
    pub fn edit(&self, change: impl Fn(&str) -> String) -> bool {
        let (version, text) = {
            let document = self.document.lock().unwrap();
            (document.version, document.text.clone())
        };
        let changed = change(&text);
        #[cfg(not(fixed))]
        if self.document.lock().unwrap().version != version {
            return false;
        }
        let mut document = self.document.lock().unwrap();
        #[cfg(fixed)]
        if document.version != version {
            return false;
        }
        document.text = changed;
        document.version += 1;
        true
    }
    pub fn text(&self) -> String {
        self.document.lock().unwrap().text.clone()
    }
}
