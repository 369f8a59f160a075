//! Condvar loop, as far as the cases use it.
use std::sync::{Condvar, Mutex};
pub struct Semaphore {
    permits: Mutex<usize>,
    free: Condvar,
}
impl Semaphore {
    pub fn acquire(&self) {
        let mut permits = self.permits.lock().unwrap();
        while *permits == 0 {
            permits = self.free.wait(permits).unwrap();
        }
        *permits -= 1;
    }
    pub fn acquire_while(&self) {
        let mut permits = self
            .free
            .wait_while(self.permits.lock().unwrap(), |n| *n == 0)
            .unwrap();
        *permits -= 1;
    }
    pub fn release(&self) {
        *self.permits.lock().unwrap() += 1;
        self.free.notify_one();
    }
}
