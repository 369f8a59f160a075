//! What a thread does that has nothing to do.
//!
//! Nobody sees that. Where a test is explored, time does not pass: whoever sleeps lets
//! others run.

use std::thread;
use std::time::Duration;

use commute_explore::runtime::{self, is_inside, yields};

/// As [`std::thread::sleep`].
pub fn sleep(dur: Duration) {
    match is_inside() {
        true => yields(),
        false => thread::sleep(dur),
    }
}

/// As [`std::thread::sleep_ms`].
#[deprecated(note = "replaced by `std::thread::sleep`")]
pub fn sleep_ms(ms: u32) {
    sleep(Duration::from_millis(ms.into()));
}

/// As [`std::thread::yield_now`].
pub fn yield_now() {
    match is_inside() {
        true => yields(),
        false => thread::yield_now(),
    }
}

/// As [`std::thread::panicking`].
#[must_use]
pub fn panicking() -> bool {
    match is_inside() {
        true => runtime::panicking(),
        false => thread::panicking(),
    }
}
