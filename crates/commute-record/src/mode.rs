//! Whether this process is recorded.
//!
//! Decided at the first operation, from the environment, so that one binary
//! passes through, records to a file, or is checked while it runs.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::collector;
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
    use std::sync::Once;
    static DECIDE: Once = Once::new();
    // The collector's own operations come here too, while it starts.
    DECIDE.call_once_force(|_| {
        let mode = match Output::from_environment() {
            None => OFF,
            Some(Ok(output)) => match process::without_signals(|| collector::start(output)) {
                Ok(()) => {
                    process::watch();
                    ON
                }
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
        MODE.store(mode, Relaxed);
    });
    MODE.load(Relaxed) == ON
}
