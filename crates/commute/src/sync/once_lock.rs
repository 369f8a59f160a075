//! `std::sync::OnceLock`, observable.

use std::fmt;
use std::panic::Location;
use std::sync;

use commute_explore::runtime::stuck;

use super::initialised::{Initialised, Kinds};
use crate::explored::once::Found;

static ONCE_LOCK: Kinds = Kinds::new("once_lock");

/// As [`std::sync::OnceLock`], which is inside and decides everything.
pub struct OnceLock<T> {
    pub(crate) seen: Initialised,
    inner: sync::OnceLock<T>,
}

impl<T> OnceLock<T> {
    /// As [`std::sync::OnceLock::new`].
    #[track_caller]
    #[inline]
    #[must_use]
    pub const fn new() -> OnceLock<T> {
        OnceLock {
            seen: Initialised::new(&ONCE_LOCK),
            inner: sync::OnceLock::new(),
        }
    }

    /// As [`std::sync::OnceLock::get`].
    #[track_caller]
    #[inline]
    pub fn get(&self) -> Option<&T> {
        if self.seen.is_explored() {
            let first = || self.seen.first(self, self.inner.get().is_some());
            let model = self.seen.model(&first, Location::caller());
            let is_done = model.get();
            return self.inner.get().filter(|_| is_done != Some(false));
        }
        let value = self.inner.get()?;
        self.seen.look(Location::caller());
        Some(value)
    }

    /// As [`std::sync::OnceLock::get_mut`].
    #[inline]
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.seen.forget_explored();
        self.inner.get_mut()
    }

    /// As [`std::sync::OnceLock::wait`].
    #[track_caller]
    #[inline]
    pub fn wait(&self) -> &T {
        if self.seen.is_explored() {
            let first = || self.seen.first(self, self.inner.get().is_some());
            self.seen.model(&first, Location::caller()).wait(false);
            return self
                .inner
                .get()
                .unwrap_or_else(|| stuck("a cell is waited for"));
        }
        let value = self.inner.wait();
        self.seen.look(Location::caller());
        value
    }

    /// As [`std::sync::OnceLock::set`].
    #[track_caller]
    #[inline]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.get_or_init(|| value.take().expect("called at most once"));
        match value {
            None => Ok(()),
            Some(value) => Err(value),
        }
    }

    /// As [`std::sync::OnceLock::get_or_init`].
    #[track_caller]
    #[inline]
    pub fn get_or_init<F>(&self, f: F) -> &T
    where
        F: FnOnce() -> T,
    {
        let at = Location::caller();
        if self.seen.is_explored() {
            return self.get_or_init_explored(f, at);
        }
        let value = self.inner.get_or_init(|| self.seen.initialise(at, f));
        self.seen.look(at);
        value
    }

    /// In a test that is explored: `f` is called while nothing real is locked.
    fn get_or_init_explored(&self, f: impl FnOnce() -> T, at: &'static Location<'static>) -> &T {
        let first = || self.seen.first(self, self.inner.get().is_some());
        let model = self.seen.model(&first, at);
        match model.begin(true) {
            Found::ToDo => {
                let value = model.initialise("give_up", f);
                model.finish(&value);
                self.inner.get_or_init(|| value)
            }
            Found::Done | Found::Poisoned | Found::Through => self.inner.get_or_init(f),
        }
    }

    /// As [`std::sync::OnceLock::into_inner`].
    #[inline]
    pub fn into_inner(self) -> Option<T> {
        self.inner.into_inner()
    }

    /// As [`std::sync::OnceLock::take`].
    #[inline]
    pub fn take(&mut self) -> Option<T> {
        self.seen.forget();
        self.inner.take()
    }
}

impl<T> Default for OnceLock<T> {
    #[track_caller]
    #[inline]
    fn default() -> OnceLock<T> {
        OnceLock::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    #[track_caller]
    fn clone(&self) -> OnceLock<T> {
        match self.get() {
            Some(value) => OnceLock::from(value.clone()),
            None => OnceLock::new(),
        }
    }
}

impl<T> From<T> for OnceLock<T> {
    #[track_caller]
    fn from(value: T) -> OnceLock<T> {
        let cell = OnceLock::new();
        let set = cell.set(value);
        debug_assert!(set.is_ok(), "nobody else has it");
        cell
    }
}

impl<T: PartialEq> PartialEq for OnceLock<T> {
    #[track_caller]
    fn eq(&self, other: &OnceLock<T>) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for OnceLock<T> {}
