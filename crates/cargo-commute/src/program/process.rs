//! The process that is started.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};

use anyhow::{Context, Result};
use commute_report::visible;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use signal_hook::low_level::signal_name;

/// A process that was started and not yet waited for.
pub(super) struct Process {
    child: Child,
    pid: Pid,
}

impl Process {
    /// Starts it.
    ///
    /// # Errors
    /// If that is not possible.
    pub(super) fn start(command: &mut Command) -> Result<Process> {
        let name = command.get_program().to_string_lossy().into_owned();
        let child = command.spawn();
        let child = child.with_context(|| format!("cannot run `{}`", visible(&name)))?;
        let pid = pid(&child);
        Ok(Process { child, pid })
    }

    /// Its number.
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// How it ended; waits until it has.
    ///
    /// # Errors
    /// If the system fails.
    pub(super) fn wait(&mut self) -> Result<ExitStatus> {
        self.child.wait().context("cannot wait for the program")
    }
}

/// Waits until it has ended, and leaves it to [`Process::wait`] to say how: its
/// number stays taken until then, so that no signal reaches somebody else.
pub(super) fn wait_until_over(pid: Pid) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(pid), options) {}
}

/// The number of a process.
pub(super) fn pid(child: &Child) -> Pid {
    Pid::from_child(child)
}

/// Sends a signal. A process that is gone does not need it.
pub(super) fn send(pid: Pid, signal: Signal) {
    let _ = kill_process(pid, signal);
}

/// The processes that there are, where the system lists them.
pub(super) fn all() -> Vec<Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter_map(Pid::from_raw).collect()
}

/// How it failed, if it did: `ended with exit code 3`.
pub(super) fn failure(status: ExitStatus) -> Option<String> {
    if status.success() {
        return None;
    }
    Some(match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => match signal_name(signal) {
            Some(name) => format!("was ended by signal {signal} ({name})"),
            None => format!("was ended by signal {signal}"),
        },
        (None, None) => format!("ended with {status}"),
    })
}
