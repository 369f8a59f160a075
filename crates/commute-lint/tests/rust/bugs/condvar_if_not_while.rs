//! Woken, but another consumer was faster.
//@ finding: Slot::take
use std::sync::{Condvar, Mutex};
pub struct Slot {
    value: Mutex<Option<u64>>,
    ready: Condvar,
}
impl Slot {
    pub fn put(&self, value: u64) {
        *self.value.lock().unwrap() = Some(value);
        self.ready.notify_all();
    }
    #[cfg(not(fixed))]
    pub fn take(&self) -> u64 {
        let mut value = self.value.lock().unwrap();
        if value.is_none() {
            value = self.ready.wait(value).unwrap();
        }
        value.take().unwrap()
    }
    #[cfg(fixed)]
    pub fn take(&self) -> u64 {
        let mut value = self.value.lock().unwrap();
        while value.is_none() {
            value = self.ready.wait(value).unwrap();
        }
        value.take().unwrap()
    }
}
