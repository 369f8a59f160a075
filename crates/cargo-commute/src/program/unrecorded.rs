//! Processes that should have been recorded and could not be.
//!
//! Nothing is known of what they did, so a run with one of them is inconclusive.

use std::fmt;
use std::io;
use std::path::PathBuf;

use commute_report::clip;
use rustix::io::Errno;

use super::socket::Stranger;

/// So many are described; of more, the number is said.
const MOST_DESCRIBED: usize = 8;

/// A process that could not be recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unrecorded {
    /// Its number, if it is known.
    pub pid: Option<u32>,
    /// Its program, as far as it is known.
    pub program: Option<PathBuf>,
    pub cause: Cause,
}

/// Why a process could not be recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// It could not connect to the socket, with this error of the system.
    Connection(i32),
    /// It could not start the thread that writes its trace, with this error of the system.
    Recorder(i32),
    /// It was forked by a process that is recorded, and used instrumented objects without
    /// starting another program.
    Forked,
    /// It is of another user; if it is not visible from here, of an unknown one.
    Stranger(Option<u32>),
    /// It wrote a notice that is not understood.
    UnknownNotice,
}

impl Unrecorded {
    /// A process that was not let in.
    pub(super) fn stranger(stranger: Stranger) -> Unrecorded {
        let (pid, user) = match stranger {
            Stranger::Of { user, pid } => (Some(pid.as_raw_nonzero().get()), Some(user.as_raw())),
            Stranger::Hidden => (None, None),
        };
        Unrecorded {
            pid: pid.and_then(|pid| u32::try_from(pid).ok()),
            program: None,
            cause: Cause::Stranger(user),
        }
    }
}

impl fmt::Display for Unrecorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program.as_deref();
        match (
            program.map(|program| program.display().to_string()),
            self.pid,
        ) {
            (Some(program), Some(pid)) => {
                write!(f, "{} (process {pid})", clip(&program, 400))?;
            }
            (None, Some(pid)) => write!(f, "process {pid}")?,
            (_, None) => f.write_str("a process")?,
        }
        write!(f, " was not recorded: {}", self.cause)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let system = |errno: i32| io::Error::from_raw_os_error(errno);
        match *self {
            Cause::Connection(errno) if errno == Errno::ACCESS.raw_os_error() => write!(
                f,
                "it cannot connect to the socket of commute ({}): only processes of the user who runs commute may record; run commute as the user of the process",
                system(errno)
            ),
            Cause::Connection(errno) => write!(
                f,
                "it cannot connect to the socket of commute ({}); set TMPDIR to a directory that it can reach, also from its container, chroot or private /tmp",
                system(errno)
            ),
            Cause::Recorder(errno) => write!(
                f,
                "it cannot start the thread that records ({}); raise its limits",
                system(errno)
            ),
            Cause::Forked => f.write_str(
                "it was forked from a recorded process and goes on in it; have it start a program of its own",
            ),
            Cause::Stranger(Some(user)) => write!(
                f,
                "it is of user {user}, and only processes of the user who runs commute, or of root, may record; run commute as that user"
            ),
            Cause::Stranger(None) => f.write_str(
                "its user is not known here; run commute in the container of the process",
            ),
            Cause::UnknownNotice => f.write_str(
                "what it says about that is not understood; build it with the version of the library that belongs to this `commute`",
            ),
        }
    }
}

/// The processes of a run that could not be recorded.
#[derive(Clone, Default, Debug)]
pub(super) struct UnrecordedProcesses {
    first: Vec<Unrecorded>,
    all: usize,
}

impl UnrecordedProcesses {
    pub(super) fn add(&mut self, process: Unrecorded) {
        self.all += 1;
        if self.first.len() < MOST_DESCRIBED {
            self.first.push(process);
        }
    }

    pub(super) fn join(&mut self, others: UnrecordedProcesses) {
        let described = others.first.len();
        others
            .first
            .into_iter()
            .for_each(|process| self.add(process));
        self.all += others.all - described;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all == 0
    }

    /// Why nothing found does not mean clean: a line for each of the first processes, and
    /// one for all others.
    pub(super) fn reasons(&self) -> Vec<String> {
        let mut reasons: Vec<String> = self.first.iter().map(Unrecorded::to_string).collect();
        match self.all - self.first.len() {
            0 => {}
            1 => reasons.push("1 more process was not recorded".to_owned()),
            more => reasons.push(format!("{more} more processes were not recorded")),
        }
        reasons
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_processes_are_described_and_the_others_counted() {
        let mut all = UnrecordedProcesses::default();
        for pid in 1..=10 {
            let mut one = UnrecordedProcesses::default();
            one.add(Unrecorded {
                pid: Some(pid),
                program: Some("/opt/server".into()),
                cause: Cause::Connection(Errno::NOENT.raw_os_error()),
            });
            all.join(one);
        }
        let reasons = all.reasons();
        assert_eq!(reasons.len(), MOST_DESCRIBED + 1);
        let first = "/opt/server (process 1) was not recorded: it cannot connect to the socket of commute (No such file or directory";
        assert!(reasons[0].starts_with(first), "{}", reasons[0]);
        assert_eq!(
            reasons[MOST_DESCRIBED],
            "2 more processes were not recorded"
        );
    }
}
