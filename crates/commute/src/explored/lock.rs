//! Locks.

use std::panic::Location;

use commute_explore::models;
use commute_explore::runtime::{Arg, Call, First, Object, panicking, post, stuck, surprise, visit};
use commute_record::{Tag, Value};

use super::first;
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
    taken.unwrap_or(Taken::Through)
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
}

impl Section {
    /// The lock was just taken, around a `T`.
    pub(crate) fn begin<T: ?Sized>() -> Section {
        Section {
            plain: super::plain::is_plain::<T>,
            panicking: panicking(),
        }
    }

    /// What says how it is given up: by whom, and what was changed.
    pub(crate) fn args(self, was_written: bool) -> smallvec::SmallVec<[Arg; 3]> {
        let mut args = smallvec::SmallVec::new();
        args.push(Arg::Me);
        let poisons = !self.panicking && panicking();
        if was_written || poisons || !(self.plain)() {
            args.push(Arg::Place);
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
            How::Shared => post(&Call::new(&objects, "unread", &[Arg::Me], at)),
        }
    }
}

/// Takes a lock whose guards do not say what is done with what is inside, so that it
/// counts as changed. `real` takes the real one if it is free.
pub(crate) fn take_raw(
    tag: &Tag,
    method: &'static str,
    at: &'static Location<'static>,
    real: impl FnOnce() -> bool,
) -> bool {
    let taken = take(tag, method, &|| object_of(tag, false), at);
    let waits = !method.starts_with("try_");
    let through = matches!(taken, Taken::Through);
    match taken {
        Taken::No => false,
        _ if real() => true,
        Taken::Through if !waits => false,
        _ => not_free(through),
    }
}

/// Tells what is done to such a lock by who has it.
pub(crate) fn tell_raw(
    tag: &Tag,
    method: &'static str,
    is_changed: bool,
    at: &'static Location<'static>,
) {
    let first = || object_of(tag, false);
    let objects = [Object {
        mark: tag.mark(),
        first: &first,
    }];
    let args: &[Arg] = match is_changed {
        true => &[Arg::Me, Arg::Place],
        false => &[Arg::Me],
    };
    post(&Call::new(&objects, method, args, at));
}

/// Waits for something that is no way to take a lock: `upgrade`. Whether it came to be.
pub(crate) fn wait_raw(tag: &Tag, method: &'static str, at: &'static Location<'static>) -> bool {
    let first = || object_of(tag, false);
    let objects = [Object {
        mark: tag.mark(),
        first: &first,
    }];
    let call = Call::new(&objects, method, &[Arg::Me], at);
    match visit(&call, |result| *result != Value::Bool(false)) {
        Some(done) => done,
        None => stuck("a lock is upgraded"),
    }
}

/// Whether somebody has it, or has it alone.
pub(crate) fn is_held(tag: &Tag, method: &'static str, real: impl FnOnce() -> bool) -> bool {
    let first = || object_of(tag, false);
    let objects = [Object {
        mark: tag.mark(),
        first: &first,
    }];
    let call = Call::new(&objects, method, &[], tag.created());
    let says = visit(&call, |result| *result == Value::Bool(true));
    says.unwrap_or_else(real)
}

impl Section {
    /// Of a lock whose guards do not say what is done.
    pub(crate) fn raw() -> Section {
        Section {
            plain: || false,
            panicking: true,
        }
    }
}
