//! Get or insert with option, as far as the cases use it.
use std::sync::Mutex;
pub struct Lazy {
    value: Mutex<Option<String>>,
}
impl Lazy {
    pub fn get(&self) -> String {
        self.value
            .lock()
            .unwrap()
            .get_or_insert_with(|| "made".to_owned())
            .clone()
    }
    pub fn clear(&self) {
        *self.value.lock().unwrap() = None;
    }
}
