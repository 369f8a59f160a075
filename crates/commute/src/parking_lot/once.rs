//! `parking_lot::Once`. Whoever initialises holds a lock meanwhile, which orders
//! attempts that panicked. That its work comes before what anybody does who finds it
//! done, and nothing else, is what a channel does that never has a message: `close`,
//! and `recv()/nil`, once per thread (for as many threads as there are bits).

use std::fmt;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ::parking_lot as original;
use commute_record::{Kind, LockOp, Method, Order, Raw, Tag, action, is_on, lock};
use original::OnceState;

use commute_explore::runtime::{First, stuck};

use super::place::At;
use crate::explored;
use crate::explored::once::{Found, Model};
use crate::this_thread;

static ONCE: Kind = Kind::lock("once");
static DONE: Kind = Kind::object("once", "channel");
static CLOSE: Method = Method::new("close");
static RECV: Method = Method::new("recv");

/// As [`parking_lot::Once`](original::Once), which is inside and decides everything.
pub struct Once {
    pub(crate) tag: Tag,
    done: Tag,
    seen: AtomicU64,
    inner: original::Once,
}

impl Once {
    /// As [`parking_lot::Once::new`](original::Once::new).
    #[track_caller]
    pub const fn new() -> Once {
        Once {
            tag: Tag::new(&ONCE),
            done: Tag::new(&DONE),
            seen: AtomicU64::new(0),
            inner: original::Once::new(),
        }
    }

    /// As [`parking_lot::Once::state`](original::Once::state).
    #[track_caller]
    pub fn state(&self) -> OnceState {
        if explored::is_on(&self.tag) {
            let first = || self.first();
            self.model(&first, Location::caller()).get();
        }
        let state = self.inner.state();
        if state.done() {
            self.look(Location::caller());
        }
        state
    }

    /// As [`parking_lot::Once::call_once`](original::Once::call_once).
    #[track_caller]
    pub fn call_once<F: FnOnce()>(&self, f: F) {
        let at = Location::caller();
        if explored::is_on(&self.tag) {
            return self.call_explored(false, |_| f(), at);
        }
        self.inner.call_once(|| self.initialise(at, f));
        self.look(at);
    }

    /// As [`parking_lot::Once::call_once_force`](original::Once::call_once_force).
    #[track_caller]
    pub fn call_once_force<F: FnOnce(OnceState)>(&self, f: F) {
        let at = Location::caller();
        if explored::is_on(&self.tag) {
            return self.call_explored(true, f, at);
        }
        self.inner
            .call_once_force(|state| self.initialise(at, || f(state)));
        self.look(at);
    }

    fn first(&self) -> First {
        explored::once::object_of(&self.tag, self.inner.state().done()).all_of(self)
    }

    fn model<'a>(&'a self, first: &'a dyn Fn() -> First, at: At) -> Model<'a> {
        let tag = &self.tag;
        Model { tag, first, at }
    }

    /// In a test that is explored: the real one is called only by whoever its model lets.
    fn call_explored(&self, again: bool, f: impl FnOnce(OnceState), at: At) {
        let first = || self.first();
        let model = self.model(&first, at);
        match model.begin(again) {
            Found::ToDo => {
                model.initialise("fail", || self.inner.call_once_force(f));
                model.finish(&());
            }
            Found::Done => {}
            Found::Poisoned => panic!("Once instance has previously been poisoned"),
            Found::Through if self.inner.state() == OnceState::InProgress => {
                stuck("a `Once` is waited for")
            }
            Found::Through => self.inner.call_once_force(f),
        }
    }

    fn initialise(&self, at: At, f: impl FnOnce()) {
        let _initialising = Initialising::begin(&self.tag, at);
        f();
        if is_on() {
            let order = Order::AmongOthers;
            action(&self.done, &CLOSE, order, at, &[], &[Raw::Bool(true)]);
            self.seen.fetch_or(me(), Relaxed);
        }
    }

    fn look(&self, at: At) {
        // Nobody else changes our bit.
        if is_on() && self.seen.load(Relaxed) & me() == 0 {
            action(&self.done, &RECV, Order::AmongOthers, at, &[], &[Raw::Nil]);
            self.seen.fetch_or(me(), Relaxed);
        }
    }
}

/// Records that the lock is held meanwhile, also if that ends with a panic.
struct Initialising<'a>(&'a Tag, At);

impl<'a> Initialising<'a> {
    fn begin(tag: &'a Tag, at: At) -> Initialising<'a> {
        if is_on() {
            lock(tag, LockOp::Acquire, at);
        }
        Initialising(tag, at)
    }
}

impl Drop for Initialising<'_> {
    fn drop(&mut self) {
        if is_on() {
            lock(self.0, LockOp::Release, self.1);
        }
    }
}

/// The bit of this thread, 0 if there are more threads than bits.
fn me() -> u64 {
    1u64.checked_shl(this_thread::number()).unwrap_or(0)
}

impl Default for Once {
    #[track_caller]
    fn default() -> Once {
        Once::new()
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}
