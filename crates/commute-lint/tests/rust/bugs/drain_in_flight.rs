//! A server that shuts down refuses new requests and waits until those that run
//! have ended. A request looks at the flag and then counts itself: the shutdown
//! sees none in between and closes the files under it. Requests now count
//! themselves first, look at the flag next, and take the count back.
//@ finding: Server::handle
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub struct Server {
    closing: AtomicBool,
    in_flight: AtomicUsize,
    file: Mutex<Option<Vec<u8>>>,
}

impl Server {
    #[cfg(not(fixed))]
    fn begin(&self) -> bool {
        if self.closing.load(Ordering::SeqCst) {
            return false;
        }
        self.in_flight.fetch_add(1, Ordering::SeqCst);
        true
    }

    #[cfg(fixed)]
    fn begin(&self) -> bool {
        self.in_flight.fetch_add(1, Ordering::SeqCst);
        if self.closing.load(Ordering::SeqCst) {
            self.in_flight.fetch_sub(1, Ordering::SeqCst);
            return false;
        }
        true
    }

    pub fn handle(&self, data: &[u8]) -> bool {
        if !self.begin() {
            return false;
        }
        if let Some(file) = self.file.lock().unwrap().as_mut() {
            file.extend_from_slice(data);
        }
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        true
    }

    pub fn shutdown(&self) -> Option<Vec<u8>> {
        self.closing.store(true, Ordering::SeqCst);
        while self.in_flight.load(Ordering::SeqCst) > 0 {
            std::thread::yield_now();
        }
        self.file.lock().unwrap().take()
    }
}
