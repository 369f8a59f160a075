//! A count is loaded and changed in two steps, under the write lock that all who
//! change it take; those who only read take the read lock.
use std::sync::RwLock;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Default)]
pub struct Slots {
    names: RwLock<Vec<String>>,
    used: AtomicUsize,
}

impl Slots {
    pub fn reserve(&self, name: &str, limit: usize) -> bool {
        let mut names = self.names.write().unwrap();
        if self.used.load(Ordering::Relaxed) >= limit {
            return false;
        }
        self.used.fetch_add(1, Ordering::Relaxed);
        names.push(name.to_owned());
        true
    }

    pub fn free(&self) {
        let mut names = self.names.write().unwrap();
        if names.pop().is_some() {
            self.used.fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub fn report(&self) -> String {
        let names = self.names.read().unwrap();
        format!("{} of {}", self.used.load(Ordering::Relaxed), names.len())
    }
}
