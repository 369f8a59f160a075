//! `std::sync::RwLock`, observable: writers are `acq` and `rel`, readers `racq` and
//! `rrel`.

mod guards;

use std::fmt;
use std::panic::Location;
use std::sync;

use commute_explore::runtime::First;
use commute_record::{Kind, Tag};

pub use self::guards::{RwLockReadGuard, RwLockWriteGuard};
use super::poison;
use super::{LockResult, PoisonError, TryLockError, TryLockResult};
use crate::compose::offered;
use crate::explored;
use crate::explored::lock::{Section, Taken};

static RWLOCK: Kind = Kind::lock("rwlock");

/// As [`std::sync::RwLock`], which is inside and decides everything.
pub struct RwLock<T: ?Sized> {
    pub(crate) tag: Tag,
    inner: sync::RwLock<T>,
}

impl<T> RwLock<T> {
    /// As [`std::sync::RwLock::new`].
    #[track_caller]
    #[inline]
    pub const fn new(t: T) -> RwLock<T> {
        RwLock {
            tag: Tag::new(&RWLOCK),
            inner: sync::RwLock::new(t),
        }
    }
}

impl<T: ?Sized> RwLock<T> {
    /// As [`std::sync::RwLock::read`].
    #[track_caller]
    #[inline]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let at = Location::caller();
        if explored::is_on(&self.tag) {
            return poison::waited(self.read_explored("read", at));
        }
        poison::map(self.inner.read(), |inner| {
            RwLockReadGuard::new(&self.tag, inner, at)
        })
    }

    /// As [`std::sync::RwLock::try_read`]. An attempt that fails is no event.
    #[track_caller]
    #[inline]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        self.try_read_at(Location::caller())
    }

    fn try_read_at(&self, at: &'static Location<'static>) -> TryLockResult<RwLockReadGuard<'_, T>> {
        if explored::is_on(&self.tag) {
            return self.read_explored("try_read", at);
        }
        poison::map_try(self.inner.try_read(), |inner| {
            RwLockReadGuard::new(&self.tag, inner, at)
        })
    }

    /// As [`std::sync::RwLock::write`].
    #[track_caller]
    #[inline]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let at = Location::caller();
        if explored::is_on(&self.tag) {
            return poison::waited(self.write_explored("lock", at));
        }
        poison::map(self.inner.write(), |inner| {
            RwLockWriteGuard::new(&self.tag, inner, at)
        })
    }

    /// As [`std::sync::RwLock::try_write`]. An attempt that fails is no event.
    #[track_caller]
    #[inline]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        let at = Location::caller();
        if explored::is_on(&self.tag) {
            return self.write_explored("try_lock", at);
        }
        poison::map_try(self.inner.try_write(), |inner| {
            RwLockWriteGuard::new(&self.tag, inner, at)
        })
    }

    /// As [`std::sync::RwLock::is_poisoned`].
    #[inline]
    pub fn is_poisoned(&self) -> bool {
        if explored::is_on(&self.tag) {
            return explored::lock::is_poisoned(&self.tag, &|| self.first(), || {
                self.inner.is_poisoned()
            });
        }
        self.inner.is_poisoned()
    }

    /// As [`std::sync::RwLock::clear_poison`].
    #[inline]
    pub fn clear_poison(&self) {
        if explored::is_on(&self.tag) {
            explored::lock::clear_poison(&self.tag, &|| self.first());
        }
        self.inner.clear_poison();
    }

    /// As [`std::sync::RwLock::into_inner`].
    pub fn into_inner(self) -> LockResult<T>
    where
        T: Sized,
    {
        self.inner.into_inner()
    }

    /// As [`std::sync::RwLock::get_mut`].
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        explored::forget(&self.tag);
        self.inner.get_mut()
    }
}

/// In a test that is explored.
impl<T: ?Sized> RwLock<T> {
    /// What it is.
    fn first(&self) -> First {
        explored::lock::object_of(&self.tag, self.inner.is_poisoned()).all_of(self)
    }

    fn read_explored(
        &self,
        method: &'static str,
        at: &'static Location<'static>,
    ) -> TryLockResult<RwLockReadGuard<'_, T>> {
        let waits = method == "read";
        offered::lock::<T>(std::ptr::from_ref(self).cast(), &self.tag, with::<T>);
        let taken = explored::lock::take(&self.tag, method, &|| self.first(), at);
        let (inner, section) = match real(&taken, self.inner.try_read(), waits) {
            Some((inner, through)) => {
                let section = (!through).then(|| Section::begin::<T>(&inner));
                (inner, section)
            }
            None => return Err(TryLockError::WouldBlock),
        };
        offered::locked::<T>(&self.tag, &inner);
        let guard = RwLockReadGuard::explored(&self.tag, inner, section, at);
        poisoned(&taken, guard)
    }

    fn write_explored(
        &self,
        method: &'static str,
        at: &'static Location<'static>,
    ) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        let waits = method == "lock";
        offered::lock::<T>(std::ptr::from_ref(self).cast(), &self.tag, with::<T>);
        let taken = explored::lock::take(&self.tag, method, &|| self.first(), at);
        let (inner, section) = match real(&taken, self.inner.try_write(), waits) {
            Some((inner, through)) => {
                let section = (!through).then(|| Section::begin::<T>(&inner));
                (inner, section)
            }
            None => return Err(TryLockError::WouldBlock),
        };
        offered::locked::<T>(&self.tag, &inner);
        let guard = RwLockWriteGuard::explored(&self.tag, inner, section, at);
        poisoned(&taken, guard)
    }
}

/// Calls `f` with what is in a lock.
///
/// # Safety
///
/// The pointer is to a lock around a `T` that has a size.
#[expect(unsafe_code, reason = "the type is known to the caller")]
unsafe fn with<T: ?Sized>(lock: *const (), writes: bool, f: &mut dyn FnMut(*mut ())) {
    assert_eq!(size_of::<&RwLock<T>>(), size_of::<*const ()>(), "no size");
    // SAFETY: as the caller says; a pointer to what has a size is nothing more.
    let lock: &RwLock<T> = unsafe { std::mem::transmute_copy(&lock) };
    if writes {
        let mut content = lock.write().unwrap_or_else(PoisonError::into_inner);
        f(std::ptr::from_mut(&mut *content).cast());
    } else {
        let content = lock.read().unwrap_or_else(PoisonError::into_inner);
        f(std::ptr::from_ref(&*content).cast_mut().cast());
    }
}

/// The real guard, and whether there is no other. None if somebody else has the lock.
fn real<G>(taken: &Taken, inner: TryLockResult<G>, waits: bool) -> Option<(G, bool)> {
    let through = matches!(taken, Taken::Through);
    match (taken, inner) {
        (Taken::No, _) => None,
        (_, Ok(inner)) => Some((inner, through)),
        (_, Err(TryLockError::Poisoned(inner))) => Some((inner.into_inner(), through)),
        (_, Err(TryLockError::WouldBlock)) if through && !waits => None,
        (_, Err(TryLockError::WouldBlock)) => explored::lock::not_free(through),
    }
}

fn poisoned<G>(taken: &Taken, guard: G) -> TryLockResult<G> {
    match taken {
        Taken::Yes { poisoned: true } => Err(PoisonError::new(guard).into()),
        _ => Ok(guard),
    }
}

impl<T> From<T> for RwLock<T> {
    #[track_caller]
    fn from(t: T) -> RwLock<T> {
        RwLock::new(t)
    }
}

impl<T: Default> Default for RwLock<T> {
    #[track_caller]
    fn default() -> RwLock<T> {
        RwLock::new(T::default())
    }
}

/// Takes the lock if it can, as std's does, and says so: what is inside may tell
/// what it does while it is shown.
impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut d = f.debug_struct("RwLock");
        match self.try_read_at(self.tag.created()) {
            Ok(guard) => d.field("data", &guard.shown()),
            Err(TryLockError::Poisoned(poisoned)) => d.field("data", &poisoned.get_ref().shown()),
            Err(TryLockError::WouldBlock) => d.field("data", &format_args!("<locked>")),
        };
        d.field("poisoned", &self.is_poisoned());
        d.finish_non_exhaustive()
    }
}
