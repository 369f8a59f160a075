//! A permit is taken when there is one. Who loses patience takes one that may
//! not be there.
//@ suppression: Retry
//@ finding: acquire
use std::sync::Mutex;
struct Permits {
    free: u32,
}
pub struct Limiter {
    permits: Mutex<Permits>,
}
impl Limiter {
    pub fn acquire(&self, wanted: u32) -> bool {
        if self.permits.lock().unwrap().free < wanted {
            return false;
        }
        let mut tries = 0;
        let mut permits = loop {
            let permits = self.permits.lock().unwrap();
            if permits.free >= wanted {
                break permits;
            }
            tries += 1;
            #[cfg(not(fixed))]
            if tries > 100 {
                break permits;
            }
            drop(permits);
            std::thread::yield_now();
        };
        permits.free -= wanted;
        true
    }
    pub fn release(&self, given: u32) {
        self.permits.lock().unwrap().free += given;
    }
}
