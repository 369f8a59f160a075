//! Signals that are meant for the program.

use std::thread;

use anyhow::{Context, Result};
use rustix::process::Signal;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::exfiltrator::WithOrigin;
use signal_hook::iterator::{Handle, SignalsInfo};
use signal_hook::low_level::siginfo::Cause;

/// A signal that came to us.
#[derive(Clone, Copy, Debug)]
pub(super) struct Received {
    pub signal: Signal,
    /// Whether it has to be passed on. What a terminal sends reaches all
    /// processes that run on it.
    pub for_us_only: bool,
}

/// Watches for signals until it is dropped.
pub(super) struct Watch(Handle);

impl Watch {
    /// Calls `tell` for every signal that asks us to end.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub(super) fn start(tell: impl Fn(Received) + Send + 'static) -> Result<Watch> {
        let wanted = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
        // What is ignored (by `nohup`, in the background of a script) stays so,
        // for the program too.
        let ignored = ignored();
        let wanted = wanted
            .iter()
            .filter(|&&signal| ignored & (1 << (signal - 1)) == 0);
        let mut signals = SignalsInfo::<WithOrigin>::new(wanted).context("cannot watch signals")?;
        let handle = signals.handle();
        thread::spawn(move || {
            for origin in signals.forever() {
                if let Some(signal) = Signal::from_named_raw(origin.signal) {
                    let for_us_only = origin.cause != Cause::Kernel;
                    tell(Received {
                        signal,
                        for_us_only,
                    });
                }
            }
        });
        Ok(Watch(handle))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The signals that are ignored, a bit each, where the system tells.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or_default()
}
