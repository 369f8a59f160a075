//! Locks whose guards do not say what is done with what is inside.

use std::panic::Location;

use commute_explore::runtime::{Arg, Call, Object, post, stuck, visit};
use commute_record::{Tag, Value};

use super::lock::{Taken, not_free, object_of, take, unread};
use crate::compose::offered;

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
        _ if real() => {
            // Who gives it back need not know whether this was a step.
            if through {
                offered::guard(true);
            }
            true
        }
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
    if method == "unread" {
        unread(tag);
    }
    if matches!(method, "unlock" | "unread" | "unupgradable") {
        offered::guard(false);
    }
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
