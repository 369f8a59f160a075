//! What an instrumented object carries.

use std::panic::Location;
use std::sync::atomic::{
    AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

use crate::local::{self, Order};
use crate::registry::{Info, Kind, Sort, registry};

/// The identity of an instrumented object, and how many operations it had.
///
/// The count makes the order of its operations known: whoever performs one takes
/// the next number while the operation is not over for anybody else.
#[derive(Debug)]
pub struct Tag {
    /// 0 until the first operation that is recorded.
    number: AtomicU32,
    count: AtomicU32,
    kind: &'static Kind,
    created: &'static Location<'static>,
}

impl Tag {
    /// For an object created by the caller's caller.
    #[track_caller]
    pub const fn new(kind: &'static Kind) -> Tag {
        Tag::made_at(kind, Location::caller())
    }

    /// For an object created there.
    pub const fn made_at(kind: &'static Kind, created: &'static Location<'static>) -> Tag {
        Tag {
            number: AtomicU32::new(0),
            count: AtomicU32::new(0),
            kind,
            created,
        }
    }

    /// Names the object in reports. Best before it is first used.
    pub fn name(&self, name: &str) {
        if !crate::is_on() {
            return;
        }
        let number = local::number(self);
        registry().rename(number, name);
    }

    /// Where it was created.
    pub fn created(&self) -> &'static Location<'static> {
        self.created
    }

    pub(crate) fn sort(&self) -> Sort {
        self.kind.sort()
    }

    /// Its number, if it has one.
    #[inline(always)]
    pub(crate) fn known(&self) -> Option<u32> {
        match self.number.load(Acquire) {
            0 => None,
            number => Some(number),
        }
    }

    /// Gives it a number; whether that was still to be done. An object with a
    /// specification then has had one operation: its creation.
    #[cold]
    pub(crate) fn register(&self, name: Option<&str>) -> (u32, bool) {
        let mut registry = registry();
        if let Some(number) = self.known() {
            return (number, false);
        }
        let number = registry.add(Info {
            kind: self.kind,
            created: Some(self.created),
            name: name.map(Into::into),
        });
        if let Sort::Object(_) = self.sort() {
            self.count.store(1, Relaxed);
        }
        self.number.store(number, Release);
        (number, true)
    }

    /// The number of the next operation.
    #[inline(always)]
    pub(crate) fn next(&self, order: Order) -> u32 {
        match order {
            Order::Alone => {
                let next = self.count.load(Relaxed).wrapping_add(1);
                self.count.store(next, Relaxed);
                next
            }
            Order::AmongOthers => self.count.fetch_add(1, Relaxed).wrapping_add(1),
        }
    }
}

impl Tag {
    /// The object is gone, although its memory may not be yet.
    pub fn end(&self) {
        if self.known().is_some() && crate::is_on() {
            local::dropped(self);
            self.number.store(0, Relaxed);
        }
    }
}

/// The object is gone.
impl Drop for Tag {
    fn drop(&mut self) {
        self.end();
    }
}
