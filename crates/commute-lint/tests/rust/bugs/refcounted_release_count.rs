//! Objects that a C++ library counts (cef #1): `release` reads the count before
//! it takes one away and says by it whether it was the last. Two that release
//! at the same time both say it was not. What is taken away says it now.
//@ finding: release
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub trait RefCounter: Send + Sync {
    fn add_ref(&self);
    fn release(&self) -> bool;
    fn has_one_ref(&self) -> bool;
}

pub struct RefCountedBase<W> {
    ref_count: AtomicUsize,
    destroyed: AtomicUsize,
    object: W,
}

impl<W: Send + Sync> RefCountedBase<W> {
    pub fn new(object: W) -> Arc<Self> {
        Arc::new(RefCountedBase {
            ref_count: AtomicUsize::new(1),
            destroyed: AtomicUsize::new(0),
            object,
        })
    }
    pub fn object(&self) -> &W {
        &self.object
    }
    fn destroy(&self) {
        self.destroyed.fetch_add(1, Ordering::Relaxed);
    }
}

impl<W: Send + Sync> RefCounter for RefCountedBase<W> {
    fn add_ref(&self) {
        self.ref_count.fetch_add(1, Ordering::Relaxed);
    }

    #[cfg(not(fixed))]
    fn release(&self) -> bool {
        let count = self.ref_count.load(Ordering::Acquire);
        self.ref_count.fetch_sub(1, Ordering::Release);
        if count == 1 {
            self.destroy();
            return true;
        }
        false
    }

    #[cfg(fixed)]
    fn release(&self) -> bool {
        if self.ref_count.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.destroy();
            return true;
        }
        false
    }

    fn has_one_ref(&self) -> bool {
        self.ref_count.load(Ordering::Acquire) == 1
    }
}

pub extern "C" fn release<W: Send + Sync>(object: &RefCountedBase<W>) -> i32 {
    i32::from(object.release())
}
