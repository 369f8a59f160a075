//! `std::sync::LazyLock`, observable.
//!
//! What std's has inside cannot be told when it begins, so this is made of a
//! `OnceLock` and of the function that will be called.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::{self, Mutex, PoisonError};

use super::initialised::{Initialised, Kinds};
use crate::explored::once::Found;

static LAZY_LOCK: Kinds = Kinds::new("lazy_lock");

/// As [`std::sync::LazyLock`].
pub struct LazyLock<T, F = fn() -> T> {
    pub(crate) seen: Initialised,
    value: sync::OnceLock<T>,
    /// Taken out to be called. Then, if there is no value, it has panicked.
    function: Mutex<Option<F>>,
}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// As [`std::sync::LazyLock::new`].
    #[track_caller]
    #[inline]
    pub const fn new(f: F) -> LazyLock<T, F> {
        LazyLock {
            seen: Initialised::new(&LAZY_LOCK),
            value: sync::OnceLock::new(),
            function: Mutex::new(Some(f)),
        }
    }

    /// As [`std::sync::LazyLock::force`].
    #[track_caller]
    #[inline]
    pub fn force(this: &LazyLock<T, F>) -> &T {
        let at = Location::caller();
        if this.seen.is_explored() {
            return LazyLock::force_explored(this, at);
        }
        let value = this.value.get_or_init(|| {
            let function = this.function.lock();
            // The lock is given back before the function is called.
            let function = function.unwrap_or_else(PoisonError::into_inner).take();
            this.seen
                .initialise(at, function.unwrap_or_else(|| poisoned()))
        });
        this.seen.look(at);
        value
    }

    /// In a test that is explored: the function is called while nothing real is locked.
    #[track_caller]
    fn force_explored<'a>(this: &'a LazyLock<T, F>, at: &'static Location<'static>) -> &'a T {
        let first = || this.seen.first(this, this.value.get().is_some());
        let model = this.seen.model(&first, at);
        let function = || {
            let function = this.function.lock();
            let function = function.unwrap_or_else(PoisonError::into_inner).take();
            function.unwrap_or_else(|| poisoned())()
        };
        match model.begin(false) {
            Found::ToDo => {
                let value = model.initialise("fail", function);
                model.finish(&value);
                this.value.get_or_init(|| value)
            }
            Found::Poisoned => poisoned(),
            Found::Done | Found::Through => this.value.get_or_init(function),
        }
    }

    /// As [`std::sync::LazyLock::force_mut`].
    #[track_caller]
    #[inline]
    pub fn force_mut(this: &mut LazyLock<T, F>) -> &mut T {
        this.seen.forget_explored();
        if this.value.get().is_none() {
            let function = this.function.get_mut();
            let function = function.unwrap_or_else(PoisonError::into_inner).take();
            let function = function.unwrap_or_else(|| poisoned());
            let value = this.seen.initialise(Location::caller(), function);
            this.value = sync::OnceLock::from(value);
        }
        this.value.get_mut().expect("just initialised")
    }
}

impl<T, F> LazyLock<T, F> {
    /// As [`std::sync::LazyLock::get_mut`].
    #[inline]
    pub fn get_mut(this: &mut LazyLock<T, F>) -> Option<&mut T> {
        this.seen.forget_explored();
        this.value.get_mut()
    }

    /// As [`std::sync::LazyLock::get`].
    #[track_caller]
    #[inline]
    pub fn get(this: &LazyLock<T, F>) -> Option<&T> {
        if this.seen.is_explored() {
            let first = || this.seen.first(this, this.value.get().is_some());
            let is_done = this.seen.model(&first, Location::caller()).get();
            return this.value.get().filter(|_| is_done != Some(false));
        }
        let value = this.value.get()?;
        this.seen.look(Location::caller());
        Some(value)
    }
}

#[cold]
#[track_caller]
fn poisoned() -> ! {
    panic!("LazyLock instance has previously been poisoned")
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[track_caller]
    #[inline]
    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}

impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F> {
    #[track_caller]
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        LazyLock::force_mut(self)
    }
}

impl<T: Default> Default for LazyLock<T> {
    #[track_caller]
    #[inline]
    fn default() -> LazyLock<T> {
        LazyLock::new(T::default)
    }
}

impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut d = f.debug_tuple("LazyLock");
        match self.value.get() {
            Some(value) => d.field(value),
            None => d.field(&format_args!("<uninit>")),
        };
        d.finish()
    }
}
