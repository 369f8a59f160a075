//! Swap buffers, as far as the cases use it.
use std::sync::Mutex;
pub struct Double {
    front: Mutex<Vec<u32>>,
    flushed: Mutex<u64>,
}
impl Double {
    pub fn push(&self, value: u32) {
        self.front.lock().unwrap().push(value);
    }
    pub fn flush(&self) -> usize {
        let mut back = Vec::new();
        std::mem::swap(&mut back, &mut *self.front.lock().unwrap());
        let sum: u64 = back.iter().map(|n| u64::from(*n)).sum();
        *self.flushed.lock().unwrap() += sum;
        back.len()
    }
}
