//! The order that initialisation makes.
//!
//! Whoever initialises something holds a lock meanwhile; whoever finds it initialised
//! passes a short section shared with all others who do. That orders the two and
//! nothing else: a shared section comes after the last that was alone, so after the
//! initialisation, and shared sections are not ordered among each other. It is right
//! because std says so: what the initialising thread did is seen by every thread that
//! finds its work done.
//!
//! A thread that has found it once knows all there is to know. So that a `LazyLock`
//! which is used all the time does not fill the trace, only the first look of a
//! thread is recorded, for as many threads as there are bits.

use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use commute_record::{Tag, is_on};

use super::held::{Held, How};
use crate::this_thread;

#[derive(Debug)]
pub(crate) struct Initialised {
    pub(crate) tag: Tag,
    /// The threads, by number, that have seen it.
    seen: AtomicU64,
}

impl Initialised {
    pub(super) const fn new(tag: Tag) -> Initialised {
        let seen = AtomicU64::new(0);
        Initialised { tag, seen }
    }

    /// Runs the initialisation, while everybody else who wants to waits.
    pub(super) fn initialise<R>(&self, at: &'static Location<'static>, f: impl FnOnce() -> R) -> R {
        // Given back also if `f` panics, after which somebody else may try.
        let held = Held::new(&self.tag, How::Alone, at);
        let result = f();
        drop(held);
        self.seen.fetch_or(me(), Relaxed);
        result
    }

    /// This thread finds that it is initialised.
    #[inline]
    pub(super) fn look(&self, at: &'static Location<'static>) {
        if is_on() {
            self.first_look(at);
        }
    }

    fn first_look(&self, at: &'static Location<'static>) {
        let me = me();
        // Nobody else changes our bit.
        if self.seen.load(Relaxed) & me == 0 {
            drop(Held::new(&self.tag, How::Shared, at));
            self.seen.fetch_or(me, Relaxed);
        }
    }

    /// It no longer is, and may be again.
    pub(super) fn forget(&mut self) {
        *self.seen.get_mut() = 0;
    }
}

/// The bit of this thread, 0 if there are more threads than bits.
fn me() -> u64 {
    1u64.checked_shl(this_thread::number()).unwrap_or(0)
}
