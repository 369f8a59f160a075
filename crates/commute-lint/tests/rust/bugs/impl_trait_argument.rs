//! The store is whatever the caller has.
//@ finding: refresh
use std::sync::Mutex;
pub trait Store {
    fn get(&self) -> u32;
    fn set(&self, to: u32);
    fn add(&self, more: u32);
}
#[derive(Default)]
pub struct Memory(Mutex<u32>);
impl Store for Memory {
    fn get(&self) -> u32 {
        *self.0.lock().unwrap()
    }
    fn set(&self, to: u32) {
        *self.0.lock().unwrap() = to;
    }
    fn add(&self, more: u32) {
        *self.0.lock().unwrap() += more;
    }
}
pub fn refresh(store: &impl Store) {
    #[cfg(not(fixed))]
    store.set(store.get() + 1);
    #[cfg(fixed)]
    store.add(1);
}
