//! `std::sync::Mutex`, observable: every acquisition is `acq`, every release `rel`;
//! in between `r` and `w` when what is inside is first looked at and changed.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync;

use commute_explore::runtime::First;
use commute_record::{Kind, Tag};

use super::held::{Held, How};
use super::poison;
use super::{LockResult, PoisonError, TryLockError, TryLockResult};
use crate::compose::offered;
use crate::explored;
use crate::explored::lock::{Section, Taken};

static MUTEX: Kind = Kind::lock("mutex");

/// As [`std::sync::Mutex`], which is inside and decides everything.
pub struct Mutex<T: ?Sized> {
    pub(crate) tag: Tag,
    inner: sync::Mutex<T>,
}

/// As [`std::sync::MutexGuard`].
#[must_use = "if unused the Mutex will immediately unlock"]
#[clippy::has_significant_drop]
pub struct MutexGuard<'a, T: ?Sized> {
    // Before the real guard, to be dropped before it.
    held: Held<'a>,
    inner: sync::MutexGuard<'a, T>,
    mutex: &'a Mutex<T>,
}

impl<T> Mutex<T> {
    /// As [`std::sync::Mutex::new`].
    #[track_caller]
    #[inline]
    pub const fn new(t: T) -> Mutex<T> {
        Mutex {
            tag: Tag::new(&MUTEX),
            inner: sync::Mutex::new(t),
        }
    }
}

impl<T: ?Sized> Mutex<T> {
    /// As [`std::sync::Mutex::lock`].
    #[track_caller]
    #[inline]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        self.lock_at(Location::caller())
    }

    #[inline]
    pub(super) fn lock_at(&self, at: &'static Location<'static>) -> LockResult<MutexGuard<'_, T>> {
        if explored::is_on(&self.tag) {
            return poison::waited(self.take_explored("lock", at));
        }
        poison::map(self.inner.lock(), |inner| self.taken(inner, at))
    }

    /// As [`std::sync::Mutex::try_lock`]. An attempt that fails is no event.
    #[track_caller]
    #[inline]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        self.try_lock_at(Location::caller())
    }

    fn try_lock_at(&self, at: &'static Location<'static>) -> TryLockResult<MutexGuard<'_, T>> {
        if explored::is_on(&self.tag) {
            return self.take_explored("try_lock", at);
        }
        poison::map_try(self.inner.try_lock(), |inner| self.taken(inner, at))
    }

    #[inline]
    fn taken<'a>(
        &'a self,
        inner: sync::MutexGuard<'a, T>,
        at: &'static Location<'static>,
    ) -> MutexGuard<'a, T> {
        MutexGuard {
            held: Held::new(&self.tag, How::Alone, at),
            inner,
            mutex: self,
        }
    }

    /// What it is, in a test that is explored.
    fn first(&self) -> First {
        explored::lock::object_of(&self.tag, self.inner.is_poisoned()).all_of(self)
    }

    /// In a test that is explored.
    fn take_explored(
        &self,
        method: &'static str,
        at: &'static Location<'static>,
    ) -> TryLockResult<MutexGuard<'_, T>> {
        offered::lock::<T>(std::ptr::from_ref(self).cast(), &self.tag, with::<T>);
        let taken = explored::lock::take(&self.tag, method, &|| self.first(), at);
        if let Taken::No = taken {
            return Err(TryLockError::WouldBlock);
        }
        let through = matches!(taken, Taken::Through);
        let (inner, real) = match self.inner.try_lock() {
            Ok(inner) => (inner, false),
            Err(TryLockError::Poisoned(inner)) => (inner.into_inner(), true),
            Err(TryLockError::WouldBlock) if through && method == "try_lock" => {
                return Err(TryLockError::WouldBlock);
            }
            Err(TryLockError::WouldBlock) => explored::lock::not_free(through),
        };
        offered::locked::<T>(&self.tag, &inner);
        let section = (!through).then(|| Section::begin::<T>(&inner));
        let guard = MutexGuard {
            held: Held::explored(&self.tag, How::Alone, section, at),
            inner,
            mutex: self,
        };
        match taken {
            Taken::Yes { poisoned: true } => Err(PoisonError::new(guard).into()),
            Taken::Through if real => Err(PoisonError::new(guard).into()),
            _ => Ok(guard),
        }
    }

    /// As [`std::sync::Mutex::is_poisoned`].
    #[inline]
    pub fn is_poisoned(&self) -> bool {
        if explored::is_on(&self.tag) {
            return explored::lock::is_poisoned(&self.tag, &|| self.first(), || {
                self.inner.is_poisoned()
            });
        }
        self.inner.is_poisoned()
    }

    /// As [`std::sync::Mutex::clear_poison`].
    #[inline]
    pub fn clear_poison(&self) {
        if explored::is_on(&self.tag) {
            explored::lock::clear_poison(&self.tag, &|| self.first());
        }
        self.inner.clear_poison();
    }

    /// As [`std::sync::Mutex::into_inner`].
    pub fn into_inner(self) -> LockResult<T>
    where
        T: Sized,
    {
        self.inner.into_inner()
    }

    /// As [`std::sync::Mutex::get_mut`].
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        explored::forget(&self.tag);
        self.inner.get_mut()
    }
}

impl<'a, T> MutexGuard<'a, T> {
    /// Gives the mutex up: `before` is called while it is still held, with whether
    /// its acquisition was recorded.
    pub(super) fn give_up(self, before: impl FnOnce(&'a Mutex<T>, bool)) -> &'a Mutex<T> {
        let MutexGuard { held, inner, mutex } = self;
        before(mutex, held.give_up());
        drop(inner);
        mutex
    }

    /// The same in a test that is explored: `before` is told how it was held.
    pub(super) fn give_up_explored(
        self,
        before: impl FnOnce(&'a Tag, Option<(Section, bool)>),
    ) -> &'a Mutex<T> {
        let MutexGuard {
            mut held,
            inner,
            mutex,
        } = self;
        before(&mutex.tag, held.end_section());
        drop(inner);
        mutex
    }

    /// Takes the mutex again: `after` is called when it is held, and returns where
    /// that was recorded.
    pub(super) fn take_again(
        mutex: &'a Mutex<T>,
        after: impl FnOnce() -> Option<&'static Location<'static>>,
    ) -> LockResult<MutexGuard<'a, T>> {
        poison::map(mutex.inner.lock(), |inner| MutexGuard {
            held: Held::again(&mutex.tag, after()),
            inner,
            mutex,
        })
    }
}

impl<T: ?Sized> MutexGuard<'_, T> {
    fn shown(&self) -> &T {
        self.held.shows();
        &self.inner
    }
}

// SAFETY: a shared guard gives shared access to the value, which `T: Sync` permits to
// several threads, and to nothing else: what has the mutex takes the guard by value.
#[expect(unsafe_code, reason = "std's asks for no more of `T`")]
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

/// Calls `f` with what is in a lock.
///
/// # Safety
///
/// The pointer is to a lock around a `T` that has a size.
#[expect(unsafe_code, reason = "the type is known to the caller")]
unsafe fn with<T: ?Sized>(lock: *const (), writes: bool, f: &mut dyn FnMut(*mut ())) {
    assert_eq!(size_of::<&Mutex<T>>(), size_of::<*const ()>(), "no size");
    // SAFETY: as the caller says; a pointer to what has a size is nothing more.
    let lock: &Mutex<T> = unsafe { std::mem::transmute_copy(&lock) };
    let mut content = lock.lock().unwrap_or_else(PoisonError::into_inner);
    // Whoever only looks is not taken for somebody who changes it.
    match writes {
        true => f(std::ptr::from_mut(&mut *content).cast()),
        false => f(std::ptr::from_ref(&*content).cast_mut().cast()),
    }
}

impl<T> From<T> for Mutex<T> {
    #[track_caller]
    fn from(t: T) -> Mutex<T> {
        Mutex::new(t)
    }
}

impl<T: Default> Default for Mutex<T> {
    #[track_caller]
    fn default() -> Mutex<T> {
        Mutex::new(T::default())
    }
}

/// Takes the lock if it is free, as std's does, and says so: what is inside may
/// tell what it does while it is shown.
impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut d = f.debug_struct("Mutex");
        match self.try_lock_at(self.tag.created()) {
            Ok(guard) => d.field("data", &guard.shown()),
            Err(TryLockError::Poisoned(poisoned)) => d.field("data", &poisoned.get_ref().shown()),
            Err(TryLockError::WouldBlock) => d.field("data", &"<locked>"),
        };
        d.field("poisoned", &self.is_poisoned());
        d.finish_non_exhaustive()
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[track_caller]
    #[inline]
    fn deref(&self) -> &T {
        self.held.reads(Location::caller());
        &self.inner
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[track_caller]
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.held.writes(Location::caller());
        &mut self.inner
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.shown(), f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.shown(), f)
    }
}
