//! A database gives out identifiers and writes down, ahead of them, up to where
//! they may have been given. Whether that is far enough is looked at without a
//! lock, and stored: a slower thread puts back a smaller number, and after a
//! restart identifiers come twice.
//@ finding: Context::reserve
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const INTERVAL: u64 = 1000;

#[derive(Default)]
pub struct Context {
    next: AtomicU64,
    persisted: AtomicU64,
    log: Mutex<Vec<u64>>,
}

impl Context {
    fn write_down(&self, limit: u64) {
        self.log.lock().unwrap().push(limit);
    }

    #[cfg(not(fixed))]
    fn reserve(&self, id: u64) {
        let necessary = (id / INTERVAL + 2) * INTERVAL;
        let persisted = self.persisted.load(Ordering::Acquire);
        if persisted < necessary {
            self.write_down(necessary);
            self.persisted.store(necessary, Ordering::Release);
        }
    }

    #[cfg(fixed)]
    fn reserve(&self, id: u64) {
        let necessary = (id / INTERVAL + 2) * INTERVAL;
        let mut persisted = self.persisted.load(Ordering::Acquire);
        while persisted < necessary {
            match self.persisted.compare_exchange(
                persisted,
                necessary,
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => {
                    self.write_down(necessary);
                    return;
                }
                Err(current) => persisted = current,
            }
        }
    }

    pub fn generate_id(&self) -> u64 {
        let id = self.next.fetch_add(1, Ordering::AcqRel);
        if id % INTERVAL == 0 {
            self.reserve(id);
        }
        id
    }
}
