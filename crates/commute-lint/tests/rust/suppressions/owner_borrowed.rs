//! A handle that borrows a lock is `&mut`, the lock is not.
//@ suppression: Owner
//@ finding: bump
use std::sync::Mutex;
pub struct Counter<'a> {
    #[cfg(not(fixed))]
    value: &'a Mutex<u64>,
    #[cfg(fixed)]
    value: Mutex<u64>,
    name: &'a str,
}
fn next(value: u64) -> u64 {
    value.rotate_left(1) | 1
}
impl Counter<'_> {
    pub fn bump(&mut self) -> usize {
        let value = *self.value.lock().unwrap();
        let value = next(value);
        *self.value.lock().unwrap() = value;
        self.name.len()
    }
    pub fn reset(&self) {
        *self.value.lock().unwrap() = 0;
    }
}
