//! Take and put back, as far as the cases use it.
use std::sync::Mutex;
pub struct Buffers {
    spare: Mutex<Vec<Vec<u8>>>,
}
impl Buffers {
    pub fn with(&self, f: impl FnOnce(&mut Vec<u8>)) {
        let mut buffer = self.spare.lock().unwrap().pop().unwrap_or_default();
        buffer.clear();
        f(&mut buffer);
        self.spare.lock().unwrap().push(buffer);
    }
}
