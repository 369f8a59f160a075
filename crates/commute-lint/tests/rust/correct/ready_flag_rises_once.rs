//! A flag that only ever becomes true, and work that waits for it.
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
pub struct Service {
    ready: AtomicBool,
    served: AtomicUsize,
    table: Mutex<Vec<u32>>,
}

impl Service {
    pub fn start() -> Arc<Service> {
        let service = Arc::new(Service::default());
        let loader = Arc::clone(&service);
        thread::spawn(move || {
            let mut table = loader.table.lock().unwrap();
            table.extend(0..1000);
            loader.ready.store(true, Ordering::Release);
        });
        service
    }
    pub fn lookup(&self, key: usize) -> Option<u32> {
        if !self.ready.load(Ordering::Acquire) {
            return None;
        }
        self.served.fetch_add(1, Ordering::Relaxed);
        self.table.lock().unwrap().get(key).copied()
    }
    pub fn served(&self) -> usize {
        self.served.load(Ordering::Relaxed)
    }
}
