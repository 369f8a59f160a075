//! `std::sync::Once`, observable.

use std::fmt;
use std::panic::Location;
use std::sync;

use super::OnceState;
use super::initialised::{Initialised, Kinds};

static ONCE: Kinds = Kinds::new("once");

/// As [`std::sync::Once`], which is inside and decides everything.
pub struct Once {
    pub(crate) seen: Initialised,
    inner: sync::Once,
}

#[expect(clippy::new_without_default, reason = "std's has none")]
impl Once {
    /// As [`std::sync::Once::new`].
    #[track_caller]
    #[inline]
    #[must_use]
    pub const fn new() -> Once {
        Once {
            seen: Initialised::new(&ONCE),
            inner: sync::Once::new(),
        }
    }

    /// As [`std::sync::Once::call_once`].
    #[track_caller]
    #[inline]
    pub fn call_once<F>(&self, f: F)
    where
        F: FnOnce(),
    {
        let at = Location::caller();
        self.inner.call_once(|| self.seen.initialise(at, f));
        self.seen.look(at);
    }

    /// As [`std::sync::Once::call_once_force`].
    #[track_caller]
    #[inline]
    pub fn call_once_force<F>(&self, f: F)
    where
        F: FnOnce(&OnceState),
    {
        let at = Location::caller();
        let call = |state: &OnceState| self.seen.initialise(at, || f(state));
        self.inner.call_once_force(call);
        self.seen.look(at);
    }

    /// As [`std::sync::Once::is_completed`].
    #[track_caller]
    #[inline]
    pub fn is_completed(&self) -> bool {
        let completed = self.inner.is_completed();
        if completed {
            self.seen.look(Location::caller());
        }
        completed
    }

    /// As [`std::sync::Once::wait`].
    #[track_caller]
    pub fn wait(&self) {
        self.inner.wait();
        self.seen.look(Location::caller());
    }

    /// As [`std::sync::Once::wait_force`].
    #[track_caller]
    pub fn wait_force(&self) {
        self.inner.wait_force();
        self.seen.look(Location::caller());
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").finish_non_exhaustive()
    }
}

/// As [`std::sync::ONCE_INIT`].
#[deprecated(note = "the `Once::new()` function is now preferred")]
#[expect(
    clippy::declare_interior_mutable_const,
    reason = "std's is a constant too"
)]
pub const ONCE_INIT: Once = Once::new();
