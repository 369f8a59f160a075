//! A lock that is held, as a trace knows it.

use std::panic::Location;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::explored::lock::Section;
use commute_record::{LockOp, Order, Tag, access, is_on, lock};

/// How a lock is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// By one.
    Alone,
    /// Together with others.
    Shared,
}

impl How {
    fn acquire(self) -> LockOp {
        match self {
            How::Alone => LockOp::Acquire,
            How::Shared => LockOp::ReadAcquire,
        }
    }

    fn release(self) -> LockOp {
        match self {
            How::Alone => LockOp::Release,
            How::Shared => LockOp::ReadRelease,
        }
    }
}

/// Records an acquisition when it is made and the release when it is dropped.
///
/// The real lock must be held that long: made after it is taken, and in a guard a
/// field before the real one, because fields are dropped in order. A release has no
/// caller, so it is recorded where the lock was acquired.
#[derive(Debug)]
pub(crate) struct Held<'a> {
    tag: &'a Tag,
    how: How,
    /// `None` if the acquisition was not recorded: then the release is not.
    at: Option<&'static Location<'static>>,
    /// What was recorded of what the lock protects.
    seen: AtomicU8,
    /// If a test is explored.
    section: Option<(Section, &'static Location<'static>)>,
}

/// It was looked at.
const READ: u8 = 1;
/// It was changed.
const WRITTEN: u8 = 2;

impl<'a> Held<'a> {
    /// The lock was just taken.
    #[inline]
    pub(crate) fn new(tag: &'a Tag, how: How, at: &'static Location<'static>) -> Held<'a> {
        let recorded = is_on();
        if recorded {
            lock(tag, how.acquire(), at);
        }
        let at = recorded.then_some(at);
        let (seen, section) = (AtomicU8::new(0), None);
        Held {
            tag,
            how,
            at,
            seen,
            section,
        }
    }

    /// The lock was just taken by a thread of a test that is explored; without a section
    /// if that is no step.
    pub(crate) fn explored(
        tag: &'a Tag,
        how: How,
        section: Option<Section>,
        at: &'static Location<'static>,
    ) -> Held<'a> {
        Held {
            tag,
            how,
            at: None,
            seen: AtomicU8::new(0),
            section: section.map(|section| (section, at)),
        }
    }

    /// The lock was just taken alone, by something else than an acquisition, which
    /// was recorded if there is a place.
    pub(crate) fn again(tag: &'a Tag, at: Option<&'static Location<'static>>) -> Held<'a> {
        Held {
            tag,
            how: How::Alone,
            at,
            seen: AtomicU8::new(0),
            section: None,
        }
    }

    /// What the lock protects is looked at. Without these events one section of the lock
    /// would be as good as another, and what a thread found there would not matter.
    #[inline]
    pub(crate) fn reads(&self, at: &'static Location<'static>) {
        if self.at.is_some() && self.seen.load(Relaxed) == 0 && is_on() {
            self.seen.store(READ, Relaxed);
            let order = match self.how {
                How::Alone => Order::Alone,
                How::Shared => Order::AmongOthers,
            };
            access(self.tag, false, order, at);
        }
    }

    /// What the lock protects is shown by us: where the lock was acquired.
    pub(crate) fn shows(&self) {
        if let Some(at) = self.at {
            self.reads(at);
        }
    }

    /// What the lock protects may be changed.
    #[inline]
    pub(crate) fn writes(&mut self, at: &'static Location<'static>) {
        if self.section.is_some() {
            *self.seen.get_mut() = WRITTEN;
            return;
        }
        if self.at.is_some() && *self.seen.get_mut() != WRITTEN && is_on() {
            // Whoever can change it can also look at it.
            self.reads(at);
            *self.seen.get_mut() = WRITTEN;
            access(self.tag, true, Order::Alone, at);
        }
    }

    /// The lock is given up, by something else than a release; whether the
    /// acquisition was recorded.
    pub(crate) fn give_up(mut self) -> bool {
        self.at.take().is_some()
    }
}

impl Held<'_> {
    /// The lock is given up in a test that is explored, by something else than a
    /// release: how, and whether what it protects may have been changed.
    pub(crate) fn end_section(&mut self) -> Option<(Section, bool)> {
        let (section, _) = self.section.take()?;
        Some((section, *self.seen.get_mut() == WRITTEN))
    }
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some((section, at)) = self.section {
            let was_written = *self.seen.get_mut() == WRITTEN;
            section.end(self.tag, self.how, was_written, at);
        }
        if let Some(at) = self.at
            && is_on()
        {
            lock(self.tag, self.how.release(), at);
        }
    }
}
