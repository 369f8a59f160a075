//! The version is younger than the text it is to vouch for.
//@ suppression: Validation
//@ finding: append
use std::sync::RwLock;
struct Page {
    version: u64,
    text: String,
}
pub struct Wiki {
    page: RwLock<Page>,
}
impl Wiki {
    pub fn append(&self, line: &str) -> bool {
        #[cfg(fixed)]
        let version = self.page.read().unwrap().version;
        let mut text = self.page.read().unwrap().text.clone();
        text.push_str(line);
        #[cfg(not(fixed))]
        let version = self.page.read().unwrap().version;
        let mut page = self.page.write().unwrap();
        if page.version != version {
            return false;
        }
        page.text = text;
        page.version += 1;
        true
    }
}
