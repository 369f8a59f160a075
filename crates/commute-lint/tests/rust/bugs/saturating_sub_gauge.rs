//! saturating sub gauge.
//@ finding: Load::finish
use std::sync::atomic::{AtomicU32, Ordering::*};
pub struct Load {
    inflight: AtomicU32,
}
impl Load {
    pub fn begin(&self) {
        self.inflight.fetch_add(1, SeqCst);
    }
    #[cfg(not(fixed))]
    pub fn finish(&self) {
        if self.inflight.load(SeqCst) > 0 {
            self.inflight.fetch_sub(1, SeqCst);
        }
    }
    #[cfg(fixed)]
    pub fn finish(&self) {
        let _ = self
            .inflight
            .fetch_update(SeqCst, SeqCst, |n| n.checked_sub(1));
    }
}
