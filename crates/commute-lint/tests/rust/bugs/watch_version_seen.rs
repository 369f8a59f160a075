//! A receiver of the newest value marks a version as seen. The value is copied
//! under the lock, and the version is read afterwards from an atomic: a value
//! that is sent in between is marked as seen though it was not. The version is
//! now read while the lock is held.
//@ finding: Receiver::borrow_and_update
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

pub struct Shared<T> {
    value: RwLock<T>,
    version: AtomicUsize,
}

pub struct Sender<T> {
    shared: Arc<Shared<T>>,
}

pub struct Receiver<T> {
    shared: Arc<Shared<T>>,
    seen: usize,
}

impl<T> Sender<T> {
    pub fn send(&self, value: T) {
        let mut current = self.shared.value.write().unwrap();
        *current = value;
        self.shared.version.fetch_add(1, Ordering::Release);
    }
}

impl<T: Clone> Receiver<T> {
    #[cfg(not(fixed))]
    pub fn borrow_and_update(&mut self) -> T {
        let value = self.shared.value.read().unwrap().clone();
        self.seen = self.shared.version.load(Ordering::Acquire);
        value
    }

    #[cfg(fixed)]
    pub fn borrow_and_update(&mut self) -> T {
        let value = self.shared.value.read().unwrap();
        self.seen = self.shared.version.load(Ordering::Acquire);
        value.clone()
    }

    pub fn has_changed(&self) -> bool {
        self.shared.version.load(Ordering::Acquire) != self.seen
    }
}

pub fn channel<T: Send + Sync + 'static>(value: T) -> (Sender<T>, Receiver<T>) {
    let shared = Arc::new(Shared {
        value: RwLock::new(value),
        version: AtomicUsize::new(0),
    });
    let sender = Sender {
        shared: shared.clone(),
    };
    (sender, Receiver { shared, seen: 0 })
}
