//! Helper closure one guard, as far as the cases use it.
use std::sync::Mutex;
struct Inner {
    free: Vec<u32>,
    used: u32,
}
pub struct Slots {
    inner: Mutex<Inner>,
}
impl Slots {
    fn locked<R>(&self, f: impl FnOnce(&mut Inner) -> R) -> R {
        f(&mut self.inner.lock().unwrap())
    }
    pub fn take(&self) -> Option<u32> {
        self.locked(|inner| {
            let slot = inner.free.pop()?;
            inner.used += 1;
            Some(slot)
        })
    }
    pub fn give(&self, slot: u32) {
        self.locked(|inner| {
            inner.used -= 1;
            inner.free.push(slot);
        })
    }
}
