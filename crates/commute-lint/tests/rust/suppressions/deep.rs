//! What happens five calls further down belongs to somebody else; two calls down
//! it belongs to the function that calls.
//@ suppression: Deep
//@ finding: grow
use std::sync::Mutex;
pub struct Arena {
    size: Mutex<usize>,
}
impl Arena {
    fn get(&self) -> usize {
        *self.size.lock().unwrap()
    }
    fn set(&self, size: usize) {
        *self.size.lock().unwrap() = size;
    }
    fn store(&self, size: usize) {
        self.set(size.next_power_of_two());
    }
    fn apply(&self, size: usize) {
        self.store(size.min(1 << 30));
    }
    fn plan(&self, size: usize) {
        self.apply(size.max(64));
    }
    pub fn grow(&self, by: usize) {
        let size = self.get();
        #[cfg(not(fixed))]
        self.store(size + by);
        #[cfg(fixed)]
        self.plan(size + by);
    }
}
