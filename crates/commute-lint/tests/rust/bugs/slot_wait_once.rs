//! A buffer is taken after one wait, whether it is there or not.
//@ finding: Slot::take
use std::sync::{Condvar, Mutex};

#[derive(Default)]
pub struct Slot {
    value: Mutex<Option<Vec<u8>>>,
    filled: Condvar,
}

impl Slot {
    pub fn fill(&self, value: Vec<u8>) {
        let mut slot = self.value.lock().unwrap();
        *slot = Some(value);
        drop(slot);
        self.filled.notify_one();
    }
    #[cfg(not(fixed))]
    pub fn take(&self) -> Vec<u8> {
        let mut slot = self.value.lock().unwrap();
        if slot.is_none() {
            slot = self.filled.wait(slot).unwrap();
        }
        slot.take().unwrap()
    }
    #[cfg(fixed)]
    pub fn take(&self) -> Vec<u8> {
        let mut slot = self.value.lock().unwrap();
        loop {
            match slot.take() {
                Some(value) => return value,
                None => slot = self.filled.wait(slot).unwrap(),
            }
        }
    }
}
