//! Locks.

use std::cell::RefCell;
use std::panic::Location;

use commute_explore::models;
use commute_explore::runtime::{
    Arg, Call, First, Object, local, panicking, post, remark, stuck, surprise, visit,
};
use commute_record::{Tag, Value};

use super::first;
use crate::compose::digest::{self, Digest};
use crate::compose::offered;
use crate::sync::held::How;

/// What came of an attempt to take a lock.
pub(crate) enum Taken {
    /// It is the caller's; whether it is poisoned.
    Yes {
        /// Whether it is.
        poisoned: bool,
    },
    /// Somebody else has it.
    No,
    /// The real lock has to say.
    Through,
}

/// What a lock is.
pub(crate) fn object_of(tag: &Tag, is_poisoned: bool) -> First {
    first(tag, models::Lock, models::Lock::poisoned(is_poisoned))
}

/// Takes a lock: `lock`, `try_lock`, `read` or `try_read`.
pub(crate) fn take(
    tag: &Tag,
    method: &'static str,
    first: &dyn Fn() -> First,
    at: &'static Location<'static>,
) -> Taken {
    let reads = matches!(method, "read" | "try_read");
    if method == "read" && read(|read| read.contains(&std::ptr::from_ref(tag))) {
        remark(READ_TWICE);
    }
    let mark = tag.mark();
    let objects = [Object { mark, first }];
    let taken = visit(
        &Call::new(&objects, method, &[Arg::Me], at),
        |result| match result {
            Value::Tuple(found) => Taken::Yes {
                poisoned: found.last() == Some(&Value::Bool(true)),
            },
            _ => Taken::No,
        },
    );
    if matches!(taken, Some(Taken::Yes { .. })) {
        offered::guard(true);
        if reads {
            read(|read| read.push(tag));
        }
    }
    taken.unwrap_or(Taken::Through)
}

const READ_TWICE: &str = "a thread reads a lock that it has for reading already: if somebody \
                          waits to write meanwhile, it may wait for ever";

/// The locks that this thread has for reading.
fn read<R: Default>(f: impl FnOnce(&mut Vec<*const Tag>) -> R) -> R {
    static KEY: u8 = 0;
    let key = std::ptr::from_ref(&KEY).addr();
    let read = local(key, || RefCell::new(Vec::new()));
    read.map_or_else(R::default, |read| f(&mut read.borrow_mut()))
}

/// A lock is not read any more.
pub(super) fn unread(tag: &Tag) {
    read(|read| {
        let at = read.iter().position(|other| std::ptr::eq(*other, tag));
        at.map(|at| read.swap_remove(at))
    });
}

/// The real lock is not free although its model is, or there is no model to ask.
pub(crate) fn not_free(through: bool) -> ! {
    if !through {
        surprise("a lock that is free".into(), "one that is not".into());
    }
    stuck("a lock that somebody has is waited for")
}

/// Whether it is poisoned.
pub(crate) fn is_poisoned(tag: &Tag, first: &dyn Fn() -> First, real: impl Fn() -> bool) -> bool {
    let mark = tag.mark();
    let objects = [Object { mark, first }];
    let call = Call::new(&objects, "is_poisoned", &[], tag.created());
    let says = visit(&call, |result| *result == Value::Bool(true));
    says.unwrap_or_else(real)
}

/// It is poisoned no more.
pub(crate) fn clear_poison(tag: &Tag, first: &dyn Fn() -> First) {
    let mark = tag.mark();
    let objects = [Object { mark, first }];
    post(&Call::new(&objects, "clear_poison", &[], tag.created()));
}

/// How a lock is held in a test that is explored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    /// Whether what is inside cannot be changed by who only looks at it.
    plain: fn() -> bool,
    /// Whether its holder was unwinding already.
    panicking: bool,
    /// What is inside, where that is told, and how.
    content: Option<(usize, Digest)>,
}

impl Section {
    /// The lock was just taken, around a `T`.
    pub(crate) fn begin<T: ?Sized>(content: &T) -> Section {
        Section {
            plain: super::plain::is_plain::<T>,
            panicking: panicking(),
            content: digest::of(content),
        }
    }

    /// What says how it is given up: by whom, and what was changed.
    pub(crate) fn args(self, was_written: bool) -> smallvec::SmallVec<[Arg; 3]> {
        let mut args = smallvec::SmallVec::new();
        args.push(Arg::Me);
        let poisons = !self.panicking && panicking();
        if was_written || poisons || !(self.plain)() {
            // The real lock is still held.
            let content = self.content.and_then(|(content, digest)| digest(content));
            args.push(content.map_or(Arg::Place, Arg::Value));
        }
        if poisons {
            args.push(Arg::Bool(true));
        }
        args
    }

    /// A lock that was taken alone is shared from now on.
    pub(crate) fn downgrade(self, tag: &Tag, was_written: bool, at: &'static Location<'static>) {
        let first = || object_of(tag, false);
        let objects = [Object {
            mark: tag.mark(),
            first: &first,
        }];
        post(&Call::new(
            &objects,
            "downgrade",
            &self.args(was_written),
            at,
        ));
    }

    /// The lock is given back.
    pub(crate) fn end(
        self,
        tag: &Tag,
        how: How,
        was_written: bool,
        at: &'static Location<'static>,
    ) {
        offered::guard(false);
        let first = || object_of(tag, false);
        let objects = [Object {
            mark: tag.mark(),
            first: &first,
        }];
        match how {
            How::Alone => {
                let args = self.args(was_written);
                post(&Call::new(&objects, "unlock", &args, at));
            }
            // What several can look at changes only by operations of its own.
            How::Shared => {
                unread(tag);
                post(&Call::new(&objects, "unread", &[Arg::Me], at));
            }
        }
    }
}

impl Section {
    /// Of a lock whose guards do not say what is done.
    #[cfg(feature = "parking_lot")]
    pub(crate) fn raw() -> Section {
        Section {
            plain: || false,
            panicking: true,
            content: None,
        }
    }
}
