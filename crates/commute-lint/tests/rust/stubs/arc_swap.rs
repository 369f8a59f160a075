//! What the samples use of arc-swap, by its names.
use std::ops::Deref;
use std::sync::{Arc, Mutex};

pub struct ArcSwapAny<T>(Mutex<T>);
pub type ArcSwap<T> = ArcSwapAny<Arc<T>>;
pub struct Guard<T>(T);
impl<T> Deref for Guard<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}
impl<T> Drop for Guard<T> {
    fn drop(&mut self) {}
}
impl<T: Clone> ArcSwapAny<T> {
    pub fn load(&self) -> Guard<T> {
        Guard(self.0.lock().unwrap().clone())
    }
    pub fn store(&self, value: T) {
        *self.0.lock().unwrap() = value;
    }
    pub fn compare_and_swap(&self, _: &T, new: T) -> Guard<T> {
        Guard(std::mem::replace(&mut *self.0.lock().unwrap(), new))
    }
    pub fn rcu<R: Into<T>>(&self, mut f: impl FnMut(&T) -> R) -> T {
        let mut value = self.0.lock().unwrap();
        let new = f(&value).into();
        std::mem::replace(&mut *value, new)
    }
}
