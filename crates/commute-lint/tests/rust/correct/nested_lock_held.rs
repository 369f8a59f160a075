//! The inner lock is taken twice, the outer one is held all the time.
use std::sync::Mutex;
pub struct Outer {
    gate: Mutex<()>,
    count: Mutex<u64>,
}
impl Outer {
    pub fn bump(&self) {
        let _gate = self.gate.lock().unwrap();
        let count = *self.count.lock().unwrap();
        *self.count.lock().unwrap() = count + 1;
    }
    pub fn read(&self) -> u64 {
        *self.count.lock().unwrap()
    }
}
