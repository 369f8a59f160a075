//! The order that initialisation makes.
//!
//! What the initialising thread did comes before what any thread does that finds its
//! work done; std says so. And nothing else is ordered: two threads that only look
//! know nothing of each other. That is what a channel does that never has a message:
//! the end of the initialisation is `close()/true`, to find it done is `recv()/nil`,
//! which nobody can before.
//!
//! Meanwhile the initialising thread holds a lock, which orders attempts that panicked.
//!
//! A thread that has found it done knows all there is to know. So that a `LazyLock`
//! which is used all the time does not fill the trace, only the first look of a
//! thread is recorded, for as many threads as there are bits.

use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use commute_explore::runtime::First;
use commute_record::{Kind, Method, Order, Raw, Tag, action, is_on};

use super::held::{Held, How};
use crate::explored;
use crate::explored::once::Model;
use crate::this_thread;

static CLOSE: Method = Method::new("close");
static RECV: Method = Method::new("recv");

#[derive(Debug)]
pub(crate) struct Initialised {
    lock: Tag,
    done: Tag,
    kinds: &'static Kinds,
    /// The threads, by number, that have seen it.
    seen: AtomicU64,
}

/// What something that is initialised is called.
#[derive(Debug)]
pub(super) struct Kinds {
    lock: Kind,
    done: Kind,
}

impl Kinds {
    pub(super) const fn new(word: &'static str) -> Kinds {
        Kinds {
            lock: Kind::lock(word),
            done: Kind::object(word, "channel"),
        }
    }
}

impl Initialised {
    #[track_caller]
    pub(super) const fn new(kinds: &'static Kinds) -> Initialised {
        Initialised::made_at(kinds, Location::caller())
    }

    const fn made_at(kinds: &'static Kinds, at: &'static Location<'static>) -> Initialised {
        Initialised {
            lock: Tag::made_at(&kinds.lock, at),
            done: Tag::made_at(&kinds.done, at),
            kinds,
            seen: AtomicU64::new(0),
        }
    }

    pub(crate) fn call(&self, name: &str) {
        explored::Called::call(&self.lock, name);
        self.done.name(name);
    }

    /// Whether operations are steps of a test that is explored.
    #[inline(always)]
    pub(super) fn is_explored(&self) -> bool {
        explored::is_on(&self.lock)
    }

    /// For the model.
    pub(super) fn model<'a>(
        &'a self,
        first: &'a dyn Fn() -> First,
        at: &'static Location<'static>,
    ) -> Model<'a> {
        let tag = &self.lock;
        Model { tag, first, at }
    }

    /// What it is: a part of `whole`.
    pub(super) fn first<W>(&self, whole: &W, is_done: bool) -> First {
        explored::once::object_of(&self.lock, is_done).all_of(whole)
    }

    /// Runs the initialisation, while everybody else who wants to waits.
    pub(super) fn initialise<R>(&self, at: &'static Location<'static>, f: impl FnOnce() -> R) -> R {
        // Given back also if `f` panics, after which somebody else may try.
        let _held = Held::new(&self.lock, How::Alone, at);
        let result = f();
        if is_on() {
            let order = Order::AmongOthers;
            action(&self.done, &CLOSE, order, at, &[], &[Raw::Bool(true)]);
            self.seen.fetch_or(me(), Relaxed);
        }
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
            let order = Order::AmongOthers;
            action(&self.done, &RECV, order, at, &[], &[Raw::Nil]);
            self.seen.fetch_or(me, Relaxed);
        }
    }

    /// Somebody has it alone, and may change what is inside.
    pub(super) fn forget_explored(&self) {
        explored::forget(&self.lock);
    }

    /// It no longer is, and begins anew.
    pub(super) fn forget(&mut self) {
        *self = Initialised::made_at(self.kinds, self.lock.created());
    }
}

/// The bit of this thread, 0 if there are more threads than bits.
fn me() -> u64 {
    1u64.checked_shl(this_thread::number()).unwrap_or(0)
}
