//! A page server knows the position of the last record and of the one before.
//! They were two atomics: who reads both while a record arrives gets a pair
//! that never was, and the compute node starts with a wrong back link. They are
//! one value under a lock now.
//@ finding: Timeline::last_record
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Copy, Default)]
pub struct RecordLsn {
    pub last: u64,
    pub prev: u64,
}

#[cfg(not(fixed))]
#[derive(Default)]
pub struct Timeline {
    last: AtomicU64,
    prev: AtomicU64,
}

#[cfg(not(fixed))]
impl Timeline {
    pub fn advance(&self, new: RecordLsn) {
        self.prev.store(new.prev, Ordering::Release);
        self.last.store(new.last, Ordering::Release);
    }

    pub fn last_record(&self) -> RecordLsn {
        RecordLsn {
            last: self.last.load(Ordering::Acquire),
            prev: self.prev.load(Ordering::Acquire),
        }
    }
}

#[cfg(fixed)]
#[derive(Default)]
pub struct Timeline {
    record: RwLock<RecordLsn>,
}

#[cfg(fixed)]
impl Timeline {
    pub fn advance(&self, new: RecordLsn) {
        *self.record.write().unwrap() = new;
    }

    pub fn last_record(&self) -> RecordLsn {
        *self.record.read().unwrap()
    }
}

pub fn basebackup(timeline: &Timeline) -> String {
    let record = timeline.last_record();
    format!("{:x} after {:x}", record.last, record.prev)
}
