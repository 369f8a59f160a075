//! Whether this process is recorded.
//!
//! Decided at the first operation, from the environment, so that one binary
//! passes through, records to a file, or is checked while it runs.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::collector;
use crate::missed;
use crate::output::Output;
use crate::process;
use crate::report::say;

const UNKNOWN: u8 = 0;
const OFF: u8 = 1;
const ON: u8 = 2;

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

/// From now on nothing is recorded.
pub(crate) fn turn_off() {
    MODE.store(OFF, Relaxed);
}

#[cold]
fn decide() -> bool {
    use std::cell::Cell;
    use std::sync::Once;
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
