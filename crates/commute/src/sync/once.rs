//! `std::sync::Once`, observable.

use std::fmt;
use std::panic::Location;
use std::sync;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use commute_explore::runtime::stuck;

use super::OnceState;
use super::initialised::{Initialised, Kinds};
use crate::explored::once::Found;

static ONCE: Kinds = Kinds::new("once");

/// As [`std::sync::Once`], which is inside and decides everything.
pub struct Once {
    pub(crate) seen: Initialised,
    inner: sync::Once,
    /// Whether somebody is in the middle of it, in a test that is explored.
    running: AtomicBool,
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
            running: AtomicBool::new(false),
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
        if self.seen.is_explored() {
            return self.call_explored(false, |_| f(), at);
        }
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
        if self.seen.is_explored() {
            return self.call_explored(true, f, at);
        }
        let call = |state: &OnceState| self.seen.initialise(at, || f(state));
        self.inner.call_once_force(call);
        self.seen.look(at);
    }

    /// As [`std::sync::Once::is_completed`].
    #[track_caller]
    #[inline]
    pub fn is_completed(&self) -> bool {
        if self.seen.is_explored() {
            let first = || self.seen.first(self, self.inner.is_completed());
            let says = self.seen.model(&first, Location::caller()).get();
            return says.unwrap_or_else(|| self.inner.is_completed());
        }
        let completed = self.inner.is_completed();
        if completed {
            self.seen.look(Location::caller());
        }
        completed
    }

    /// As [`std::sync::Once::wait`].
    #[track_caller]
    pub fn wait(&self) {
        if self.seen.is_explored() {
            return self.wait_explored(true, Location::caller());
        }
        self.inner.wait();
        self.seen.look(Location::caller());
    }

    /// As [`std::sync::Once::wait_force`].
    #[track_caller]
    pub fn wait_force(&self) {
        if self.seen.is_explored() {
            return self.wait_explored(false, Location::caller());
        }
        self.inner.wait_force();
        self.seen.look(Location::caller());
    }
}

/// In a test that is explored. The real one is called only by whoever its model lets.
impl Once {
    #[track_caller]
    fn call_explored(
        &self,
        again: bool,
        f: impl FnOnce(&OnceState),
        at: &'static Location<'static>,
    ) {
        let first = || self.seen.first(self, self.inner.is_completed());
        let model = self.seen.model(&first, at);
        match model.begin(again) {
            Found::ToDo => {
                self.running.store(true, Relaxed);
                model.initialise("fail", || self.inner.call_once_force(f));
                self.running.store(false, Relaxed);
                model.finish(&());
            }
            Found::Done => {}
            Found::Poisoned => panic!("Once instance has previously been poisoned"),
            Found::Through if self.running.load(Relaxed) => stuck("a `Once` is waited for"),
            Found::Through => self.inner.call_once_force(f),
        }
    }

    fn wait_explored(&self, or_panicked: bool, at: &'static Location<'static>) {
        let first = || self.seen.first(self, self.inner.is_completed());
        match self.seen.model(&first, at).wait(or_panicked) {
            Found::Poisoned => panic!("Once instance has previously been poisoned"),
            Found::Through if !self.inner.is_completed() => stuck("a `Once` is waited for"),
            _ => {}
        }
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
