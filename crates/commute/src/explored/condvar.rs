//! Condition variables. Nothing real waits: who waits is in the model.

use std::panic::Location;

use commute_explore::models;
use commute_explore::runtime::{Arg, Call, First, Object, post, stuck, visit};
use commute_record::{Tag, Value};

use super::first;
use super::lock::{self, Section};
use crate::compose::offered;

/// What a condition variable is.
pub(crate) fn object_of(tag: &Tag) -> First {
    first(tag, models::Condvar, models::Condvar::initial())
}

/// Begins to wait, and gives the mutex up: `section` says how it was held.
pub(crate) fn begin(
    condvar: Object<'_>,
    mutex: &Tag,
    section: Option<(Section, bool)>,
    at: &'static Location<'static>,
) {
    let Some((section, was_written)) = section else {
        stuck("a condition variable is waited for");
    };
    offered::guard(false);
    let mutex_is = || lock::object_of(mutex, false);
    let objects = [
        condvar,
        Object {
            mark: mutex.mark(),
            first: &mutex_is,
        },
    ];
    let args = section.args(was_written);
    post(&Call::new(&objects, "wait", &args, at));
}

/// Waits for a notification, or not if its time may be over; whether there was one.
pub(crate) fn wake(condvar: Object<'_>, has_time: bool, at: &'static Location<'static>) -> bool {
    let method = match has_time {
        true => "wake_or_not",
        false => "wake",
    };
    let objects = [condvar];
    let call = Call::new(&objects, method, &[Arg::Me], at);
    match visit(&call, |result| *result != Value::Bool(false)) {
        Some(notified) => notified,
        None => stuck("a condition variable is waited for"),
    }
}

/// Notifies one who waits, or all.
pub(crate) fn notify(condvar: Object<'_>, all: bool, at: &'static Location<'static>) {
    let method = match all {
        true => "notify_all",
        false => "notify_one",
    };
    let objects = [condvar];
    post(&Call::new(&objects, method, &[], at));
}

/// The same, for one who learns how many are woken.
#[cfg(feature = "parking_lot")]
pub(crate) fn notify_some(
    condvar: Object<'_>,
    method: &'static str,
    at: &'static Location<'static>,
) -> usize {
    let objects = [condvar];
    let woken = visit(&Call::new(&objects, method, &[], at), |woken| {
        woken.as_int().and_then(|n| usize::try_from(n).ok())
    });
    woken.flatten().unwrap_or(0)
}
