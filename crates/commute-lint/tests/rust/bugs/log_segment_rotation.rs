//! A write-ahead log begins a new segment when the active one is full. Whether
//! it is is asked under the lock, and the rotation takes it again: two writers
//! rotate, and the second leaves an empty segment behind, at the offset of
//! which readers stop.
//@ finding: Log::append
use std::sync::Mutex;

struct Segment {
    base: u64,
    data: Vec<u8>,
}

struct Inner {
    sealed: Vec<Segment>,
    active: Segment,
}

impl Inner {
    fn rotate(&mut self) {
        let base = self.active.base + self.active.data.len() as u64;
        let data = Vec::new();
        let full = std::mem::replace(&mut self.active, Segment { base, data });
        self.sealed.push(full);
    }
}

pub struct Log {
    inner: Mutex<Inner>,
    max_segment: usize,
}

impl Log {
    #[cfg(not(fixed))]
    fn is_full(&self, extra: usize) -> bool {
        self.inner.lock().unwrap().active.data.len() + extra > self.max_segment
    }

    #[cfg(not(fixed))]
    fn rotate(&self) {
        self.inner.lock().unwrap().rotate();
    }

    #[cfg(not(fixed))]
    pub fn append(&self, record: &[u8]) -> u64 {
        if self.is_full(record.len()) {
            self.rotate();
        }
        let mut inner = self.inner.lock().unwrap();
        let offset = inner.active.base + inner.active.data.len() as u64;
        inner.active.data.extend_from_slice(record);
        offset
    }

    #[cfg(fixed)]
    pub fn append(&self, record: &[u8]) -> u64 {
        let mut inner = self.inner.lock().unwrap();
        if inner.active.data.len() + record.len() > self.max_segment {
            inner.rotate();
        }
        let offset = inner.active.base + inner.active.data.len() as u64;
        inner.active.data.extend_from_slice(record);
        offset
    }
}
