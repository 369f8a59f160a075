//! tuple snapshot torn.
//@ finding: Progress::snapshot
use std::sync::RwLock;
#[derive(Default)]
struct Inner {
    done: u64,
    total: u64,
}
#[derive(Default)]
pub struct Progress {
    inner: RwLock<Inner>,
}
pub struct Snapshot {
    pub done: u64,
    pub total: u64,
}
impl Progress {
    pub fn restart(&self, total: u64) {
        let mut inner = self.inner.write().unwrap();
        inner.done = 0;
        inner.total = total;
    }
    pub fn step(&self) {
        self.inner.write().unwrap().done += 1;
    }
    #[cfg(not(fixed))]
    pub fn snapshot(&self) -> Snapshot {
        let done = self.inner.read().unwrap().done;
        let total = self.inner.read().unwrap().total;
        Snapshot { done, total }
    }
    #[cfg(fixed)]
    pub fn snapshot(&self) -> Snapshot {
        let inner = self.inner.read().unwrap();
        Snapshot {
            done: inner.done,
            total: inner.total,
        }
    }
}
