//! A limit of connections that two threads pass together.
//@ finding: Server::accept
use std::sync::atomic::{AtomicUsize, Ordering};
pub struct Server {
    active: AtomicUsize,
    max: usize,
}
impl Server {
    #[cfg(not(fixed))]
    pub fn accept(&self) -> bool {
        if self.active.load(Ordering::Acquire) >= self.max {
            return false;
        }
        self.active.fetch_add(1, Ordering::AcqRel);
        true
    }
    #[cfg(fixed)]
    pub fn accept(&self) -> bool {
        self.active
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |active| {
                if active >= self.max {
                    None
                } else {
                    Some(active + 1)
                }
            })
            .is_ok()
    }
    pub fn close(&self) {
        self.active.fetch_sub(1, Ordering::AcqRel);
    }
}
