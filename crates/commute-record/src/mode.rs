//! Whether this process is recorded.
//!
//! Decided at the first operation, from the environment, so that one binary
//! passes through, records to a file, or is checked while it runs.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::collector;
use crate::missed;
use crate::notice::{self, Cause};
use crate::output::Output;
use crate::process;
use crate::report::say;

const UNKNOWN: u8 = 0;
const OFF: u8 = 1;
const ON: u8 = 2;
/// A child that was forked from a recorded process. It has not done anything yet.
const FORKED: u8 = 3;

static MODE: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether operations are to be recorded.
#[inline(always)]
pub fn is_on() -> bool {
    match MODE.load(Relaxed) {
        OFF => false,
        ON => true,
        _ => decide(),
    }
}

/// Whether the end of an object or of a thread is to be recorded. A forked child has these
/// without using anything, so it need not be known there that nothing is recorded.
#[inline(always)]
pub(crate) fn records_ends() -> bool {
    MODE.load(Relaxed) != FORKED && is_on()
}

/// From now on nothing is recorded.
pub(crate) fn turn_off() {
    MODE.store(OFF, Relaxed);
}

/// For a forked child, which has no collector: nothing is recorded, and the first operation
/// makes that known. Most children start another program before.
pub(crate) fn turn_off_in_child() {
    let forked = MODE.compare_exchange(ON, FORKED, Relaxed, Relaxed);
    if forked.is_err() {
        turn_off();
    }
}

#[cold]
fn decide() -> bool {
    use std::cell::Cell;
    use std::sync::Once;
    if MODE.load(Relaxed) == FORKED {
        let first = MODE.compare_exchange(FORKED, OFF, Relaxed, Relaxed);
        if first.is_ok() {
            notice::tell(Cause::Fork);
        }
        return false;
    }
    static DECIDE: Once = Once::new();
    thread_local! {
        static DECIDING: Cell<bool> = const { Cell::new(false) };
    }
    // A signal handler that interrupts the decision would wait for itself.
    if DECIDING.replace(true) {
        missed::miss();
        return false;
    }
    // The collector's own operations come here too, while it starts.
    DECIDE.call_once_force(|_| {
        // First of all: the child of a fork would wait for who is here, for ever.
        process::watch();
        let mode = match Output::from_environment() {
            None => OFF,
            Some(Ok(output)) => match process::without_signals(|| collector::start(output)) {
                Ok(()) => ON,
                Err(error) => {
                    let errno = error.raw_os_error().unwrap_or(libc::EAGAIN);
                    notice::tell(Cause::Start(errno));
                    say(&format!("not recorded: {error}"));
                    OFF
                }
            },
            Some(Err(message)) => {
                say(&format!("not recorded: {message}"));
                OFF
            }
        };
        // The collector may have ended already.
        let _ = MODE.compare_exchange(UNKNOWN, mode, Relaxed, Relaxed);
    });
    DECIDING.set(false);
    MODE.load(Relaxed) == ON
}
