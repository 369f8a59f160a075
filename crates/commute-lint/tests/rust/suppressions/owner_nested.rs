//! `&mut` of what owns something that shares something.
//@ suppression: Owner
//@ finding: trim
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
struct Buffer {
    #[cfg(not(fixed))]
    items: Arc<Mutex<VecDeque<u8>>>,
    #[cfg(fixed)]
    items: Mutex<VecDeque<u8>>,
}
pub struct Reader {
    buffer: Buffer,
    most: usize,
}
impl Reader {
    pub fn feed(&self, byte: u8) {
        self.buffer.items.lock().unwrap().push_back(byte);
    }
    #[cfg(not(fixed))]
    pub fn share(&self) -> Reader {
        let items = Arc::clone(&self.buffer.items);
        Reader {
            buffer: Buffer { items },
            most: self.most,
        }
    }
    pub fn trim(&mut self) {
        let length = self.buffer.items.lock().unwrap().len();
        if length > self.most {
            let extra = length - self.most;
            self.buffer.items.lock().unwrap().drain(..extra);
        }
    }
}
