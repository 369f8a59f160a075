//! `parking_lot::Once`. Whoever initialises holds a lock meanwhile; whoever finds the
//! work done passes a short shared section, once per thread (for as many threads as
//! there are bits), because a thread that has found it knows all there is to know.

use std::fmt;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ::parking_lot as original;
use commute_record::{Kind, Tag, is_on};
use original::OnceState;

use super::place::At;
use crate::sync::{Held, How};
use crate::this_thread;

static ONCE: Kind = Kind::lock("once");

/// As [`parking_lot::Once`](original::Once), which is inside and decides everything.
pub struct Once {
    pub(crate) tag: Tag,
    seen: AtomicU64,
    inner: original::Once,
}

impl Once {
    /// As [`parking_lot::Once::new`](original::Once::new).
    #[track_caller]
    pub const fn new() -> Once {
        Once {
            tag: Tag::new(&ONCE),
            seen: AtomicU64::new(0),
            inner: original::Once::new(),
        }
    }

    /// As [`parking_lot::Once::state`](original::Once::state).
    #[track_caller]
    pub fn state(&self) -> OnceState {
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
        self.inner.call_once(|| {
            let _held = Held::new(&self.tag, How::Alone, at);
            f();
        });
        self.look(at);
    }

    /// As [`parking_lot::Once::call_once_force`](original::Once::call_once_force).
    #[track_caller]
    pub fn call_once_force<F: FnOnce(OnceState)>(&self, f: F) {
        let at = Location::caller();
        self.inner.call_once_force(|state| {
            let _held = Held::new(&self.tag, How::Alone, at);
            f(state);
        });
        self.look(at);
    }

    fn look(&self, at: At) {
        if is_on() {
            let me = 1u64.checked_shl(this_thread::number()).unwrap_or(0);
            // Nobody else changes our bit.
            if self.seen.load(Relaxed) & me == 0 {
                drop(Held::new(&self.tag, How::Shared, at));
                self.seen.fetch_or(me, Relaxed);
            }
        }
    }
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
