//! id generator wrap.
//@ finding: Ids::next
use std::sync::atomic::{AtomicU16, Ordering};
pub struct Ids {
    next: AtomicU16,
}
impl Ids {
    #[cfg(not(fixed))]
    pub fn next(&self) -> u16 {
        let id = self.next.load(Ordering::SeqCst);
        if id == u16::MAX {
            self.next.store(1, Ordering::SeqCst);
        } else {
            self.next.store(id + 1, Ordering::SeqCst);
        }
        id
    }
    #[cfg(fixed)]
    pub fn next(&self) -> u16 {
        self.next
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |id| {
                Some(if id == u16::MAX { 1 } else { id + 1 })
            })
            .unwrap()
    }
}
