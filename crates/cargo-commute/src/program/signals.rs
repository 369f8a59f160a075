//! Signals: those that ask the program to end, and one that asks us what there is.

use std::thread;

use anyhow::{Context, Result};
use rustix::process::Signal;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithOrigin;
use signal_hook::low_level::emulate_default_handler;
use signal_hook::low_level::siginfo::Cause;

/// A signal that came to us.
#[derive(Clone, Copy, Debug)]
pub(super) struct Received {
    pub signal: Signal,
    /// Whether it has to be passed on. What a terminal sends reaches all
    /// processes that run on it.
    pub for_us_only: bool,
}

impl Received {
    /// Whether it asks for a report and not for an end.
    pub(super) fn is_question(self) -> bool {
        self.signal == Signal::USR1
    }
}

/// Calls `tell` for every signal, from now on. When that has nobody to tell any
/// more, it returns `false`, and signals do what they do without us.
///
/// # Errors
/// If the system does not allow it.
pub(super) fn watch(tell: impl Fn(Received) -> bool + Send + 'static) -> Result<()> {
    let wanted = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1];
    // What is ignored (by `nohup`, in the background of a script) stays so,
    // for the program too.
    let ignored = ignored();
    let wanted = wanted
        .iter()
        .filter(|&&signal| ignored & (1 << (signal - 1)) == 0);
    let mut signals = SignalsInfo::<WithOrigin>::new(wanted).context("cannot watch signals")?;
    let watching = thread::Builder::new().spawn(move || {
        for origin in signals.forever() {
            let Some(signal) = Signal::from_named_raw(origin.signal) else {
                continue;
            };
            let received = Received {
                signal,
                for_us_only: origin.cause != Cause::Kernel,
            };
            // Who asks too late gets the report that is being written.
            if !tell(received) && !received.is_question() {
                let _ = emulate_default_handler(origin.signal);
            }
        }
    });
    watching.map(drop).context("cannot start a thread")
}

/// The signals that are ignored, a bit each, where the system tells.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or_default()
}
