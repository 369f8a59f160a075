//! What is recorded where no guard is: that a key is absent, and that it no longer is.
//!
//! Whoever finds a key has its bucket locked; whoever does not, has nothing. So every
//! insertion is counted, in a locked bucket and before it is recorded; and who found
//! nothing records that only if no insertion was counted since before it looked, else
//! it looks again. A removal is recorded before it happens, in a locked bucket, so who
//! finds nothing comes after it.
//!
//! The lock is taken last of all, and nothing that can wait is done under it.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

use commute_record::{Kind, Method, Raw, Tag, is_on};

use crate::keyed::{At, record};

#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) tag: Tag,
    lock: Mutex<()>,
    insertions: AtomicU64,
}

impl Seen {
    #[track_caller]
    pub(super) const fn new(kind: &'static Kind) -> Seen {
        Seen {
            tag: Tag::new(kind),
            lock: Mutex::new(()),
            insertions: AtomicU64::new(0),
        }
    }

    /// Something to be shown to [`absent`](Self::absent), from before looking.
    pub(super) fn now(&self) -> u64 {
        self.insertions.load(SeqCst)
    }

    /// Records that a key is absent, if it still is.
    pub(super) fn absent(
        &self,
        since: u64,
        method: &Method,
        at: At,
        key: Raw<'_>,
        result: Raw<'_>,
    ) -> bool {
        let _lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let still = self.now() == since;
        if still {
            record(&self.tag, method, at, &[key], &[result]);
        }
        still
    }

    /// An insertion is going to be recorded; its bucket is locked.
    pub(super) fn count_insertion(&self) {
        if is_on() {
            let _lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
            self.insertions.fetch_add(1, SeqCst);
        }
    }
}
