//! What `read` and `write` return.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync;

use commute_record::Tag;

use crate::explored::lock::Section;
use crate::sync::held::{Held, How};

/// As [`std::sync::RwLockReadGuard`].
#[must_use = "if unused the RwLock will immediately unlock"]
#[clippy::has_significant_drop]
pub struct RwLockReadGuard<'a, T: ?Sized> {
    // Before the real guard, to be dropped before it.
    held: Held<'a>,
    inner: sync::RwLockReadGuard<'a, T>,
}

/// As [`std::sync::RwLockWriteGuard`].
#[must_use = "if unused the RwLock will immediately unlock"]
#[clippy::has_significant_drop]
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    // Before the real guard, to be dropped before it.
    held: Held<'a>,
    inner: sync::RwLockWriteGuard<'a, T>,
    tag: &'a Tag,
}

impl<'a, T: ?Sized> RwLockReadGuard<'a, T> {
    #[inline]
    pub(super) fn new(
        tag: &'a Tag,
        inner: sync::RwLockReadGuard<'a, T>,
        at: &'static Location<'static>,
    ) -> RwLockReadGuard<'a, T> {
        let held = Held::new(tag, How::Shared, at);
        RwLockReadGuard { held, inner }
    }

    pub(super) fn explored(
        tag: &'a Tag,
        inner: sync::RwLockReadGuard<'a, T>,
        section: Option<Section>,
        at: &'static Location<'static>,
    ) -> RwLockReadGuard<'a, T> {
        let held = Held::explored(tag, How::Shared, section, at);
        RwLockReadGuard { held, inner }
    }
}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    #[inline]
    pub(super) fn new(
        tag: &'a Tag,
        inner: sync::RwLockWriteGuard<'a, T>,
        at: &'static Location<'static>,
    ) -> RwLockWriteGuard<'a, T> {
        let held = Held::new(tag, How::Alone, at);
        RwLockWriteGuard { held, inner, tag }
    }

    pub(super) fn explored(
        tag: &'a Tag,
        inner: sync::RwLockWriteGuard<'a, T>,
        section: Option<Section>,
        at: &'static Location<'static>,
    ) -> RwLockWriteGuard<'a, T> {
        let held = Held::explored(tag, How::Alone, section, at);
        RwLockWriteGuard { held, inner, tag }
    }

    /// As [`std::sync::RwLockWriteGuard::downgrade`].
    #[track_caller]
    #[clippy::msrv = "1.92"]
    pub fn downgrade(s: Self) -> RwLockReadGuard<'a, T> {
        let RwLockWriteGuard {
            mut held,
            inner,
            tag,
        } = s;
        if let Some((section, was_written)) = held.end_section() {
            let at = Location::caller();
            section.downgrade(tag, was_written, at);
            let inner = sync::RwLockWriteGuard::downgrade(inner);
            return RwLockReadGuard::explored(tag, inner, Some(section), at);
        }
        // Both while nobody else can hold the lock, so that no other writer seems
        // to come in between.
        drop(held);
        let held = Held::new(tag, How::Shared, Location::caller());
        let inner = sync::RwLockWriteGuard::downgrade(inner);
        RwLockReadGuard { held, inner }
    }
}

impl<T: ?Sized> RwLockReadGuard<'_, T> {
    pub(super) fn shown(&self) -> &T {
        self.held.shows();
        &self.inner
    }
}

impl<T: ?Sized> RwLockWriteGuard<'_, T> {
    fn shown(&self) -> &T {
        self.held.shows();
        &self.inner
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    #[track_caller]
    #[inline]
    fn deref(&self) -> &T {
        self.held.reads(Location::caller());
        &self.inner
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    #[track_caller]
    #[inline]
    fn deref(&self) -> &T {
        self.held.reads(Location::caller());
        &self.inner
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    #[track_caller]
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.held.writes(Location::caller());
        &mut self.inner
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.shown(), f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.shown(), f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.shown(), f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.shown(), f)
    }
}
