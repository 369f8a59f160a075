//! A lock that is held, as a trace knows it.

use std::panic::Location;

use commute_record::{LockOp, Tag, is_on, lock};

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
}

impl<'a> Held<'a> {
    /// The lock was just taken.
    #[inline]
    pub(crate) fn new(tag: &'a Tag, how: How, at: &'static Location<'static>) -> Held<'a> {
        let recorded = is_on();
        if recorded {
            lock(tag, how.acquire(), at);
        }
        let at = recorded.then_some(at);
        Held { tag, how, at }
    }

    /// The lock was just taken alone, by something else than an acquisition, which
    /// was recorded if there is a place.
    pub(crate) fn again(tag: &'a Tag, at: Option<&'static Location<'static>>) -> Held<'a> {
        let how = How::Alone;
        Held { tag, how, at }
    }

    /// The lock is given up, by something else than a release; whether the
    /// acquisition was recorded.
    pub(crate) fn give_up(mut self) -> bool {
        self.at.take().is_some()
    }
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(at) = self.at
            && is_on()
        {
            lock(self.tag, self.how.release(), at);
        }
    }
}
