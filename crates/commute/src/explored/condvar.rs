//! Condition variables. Nothing real waits: who waits is in the model.

use std::panic::Location;

use commute_explore::models;
use commute_explore::runtime::{Arg, Call, First, Object, post, stuck, visit};
use commute_record::{Tag, Value};

use super::first;
use super::lock::{Section, object_of};

fn describe(tag: &Tag) -> First {
    first(tag, models::Condvar, models::Condvar::initial())
}

/// Begins to wait, and gives the mutex up: `section` says how it was held.
pub(crate) fn begin(
    tag: &Tag,
    mutex: &Tag,
    section: Option<(Section, bool)>,
    at: &'static Location<'static>,
) {
    let Some((section, was_written)) = section else {
        stuck("a condition variable is waited for");
    };
    let (condvar_is, mutex_is) = (|| describe(tag), || object_of(mutex, false));
    let objects = [
        Object {
            mark: tag.mark(),
            first: &condvar_is,
        },
        Object {
            mark: mutex.mark(),
            first: &mutex_is,
        },
    ];
    let args = section.args(was_written);
    post(&Call::new(&objects, "wait", &args, at));
}

/// Waits for a notification, or not if its time may be over; whether there was one.
pub(crate) fn wake(tag: &Tag, has_time: bool, at: &'static Location<'static>) -> bool {
    let method = match has_time {
        true => "wake_or_not",
        false => "wake",
    };
    let condvar_is = || describe(tag);
    let objects = [Object {
        mark: tag.mark(),
        first: &condvar_is,
    }];
    let call = Call::new(&objects, method, &[Arg::Me], at);
    match visit(&call, |result| *result != Value::Bool(false)) {
        Some(notified) => notified,
        None => stuck("a condition variable is waited for"),
    }
}

/// Notifies one who waits, or all.
pub(crate) fn notify(tag: &Tag, all: bool, at: &'static Location<'static>) {
    let method = match all {
        true => "notify_all",
        false => "notify_one",
    };
    let condvar_is = || describe(tag);
    let objects = [Object {
        mark: tag.mark(),
        first: &condvar_is,
    }];
    post(&Call::new(&objects, method, &[], at));
}
