//! The pipe through which a process says that it cannot be recorded.
//!
//! The program and all that it starts inherit the writing end, whose number is in the
//! variable [`NOTICES`] as `FD:DEVICE:INODE`: a process that has another file under that
//! number must not write to it. A notice is a line of at most [`LONGEST`] bytes, so that
//! it is written at once or not at all: `unrecorded 1 PID CAUSE ERRNO PROGRAM`.
//!
//! Processes may outlive the program and keep the pipe open, so its end is never waited
//! for: when the run is over, the notices that have arrived count.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, PipeReader, Read};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, FdFlags, fcntl_dupfd_cloexec, fcntl_setfd, ioctl_fionbio};

use super::connection::shortened;
use super::unrecorded::{Cause, Unrecorded, UnrecordedProcesses};

/// The variable that names the pipe.
pub(super) const NOTICES: &str = "COMMUTE_NOTICES";
/// What every system writes to a pipe at once (`_POSIX_PIPE_BUF`).
const LONGEST: usize = 512;
/// The pipe has a high number, if the limit allows it: scripts use low ones for files of
/// their own (`exec 3>log`).
const NUMBERS: [i32; 3] = [128, 10, 3];
/// At the end of a run, no more than this is read: a process may write without end.
const MOST_AT_THE_END: usize = 1 << 20;

/// The writing end, for the program that is to be started.
pub(super) struct Inherited(OwnedFd);

/// The reading end, and what came out of it.
#[derive(Clone)]
pub(super) struct Notices(Arc<Inner>);

struct Inner {
    pipe: PipeReader,
    received: Mutex<Received>,
}

#[derive(Default)]
struct Received {
    /// The beginning of a line.
    begun: Vec<u8>,
    processes: UnrecordedProcesses,
}

impl Notices {
    /// A new pipe.
    ///
    /// # Errors
    /// If the system fails.
    pub(super) fn open() -> io::Result<(Notices, Inherited)> {
        let (pipe, writer) = io::pipe()?;
        // A process that is to be recorded must not wait for us in the middle of nowhere,
        // nor we for it.
        ioctl_fionbio(&pipe, true)?;
        ioctl_fionbio(&writer, true)?;
        let numbers = NUMBERS.iter();
        let mut moved = numbers.map(|&number| fcntl_dupfd_cloexec(&writer, number));
        let inherited = moved.find_map(Result::ok).unwrap_or(writer.into());
        fcntl_setfd(&inherited, FdFlags::empty())?;
        let received = Mutex::default();
        let notices = Notices(Arc::new(Inner { pipe, received }));
        Ok((notices, Inherited(inherited)))
    }

    /// Reads notices until `over` ends, so that the pipe does not get full. Returns early if
    /// no process has the writing end any more.
    pub(super) fn listen(&self, over: &UnixStream) {
        loop {
            let mut ready = [
                PollFd::from_borrowed_fd(self.0.pipe.as_fd(), PollFlags::IN),
                PollFd::from_borrowed_fd(over.as_fd(), PollFlags::IN),
            ];
            match poll(&mut ready, None) {
                Err(Errno::INTR) => continue,
                Err(_) => return,
                Ok(_) => {}
            }
            if !ready[1].revents().is_empty() {
                return;
            }
            if self
                .read(&mut self.received(), LONGEST)
                .is_ok_and(|n| n == 0)
            {
                return;
            }
        }
    }

    /// All processes that have told until now that they are not recorded.
    pub(super) fn take(&self) -> UnrecordedProcesses {
        let mut received = self.received();
        let mut read = 0;
        while read < MOST_AT_THE_END
            && let Ok(n @ 1..) = self.read(&mut received, 1 << 16)
        {
            read += n;
        }
        std::mem::take(&mut received.processes)
    }

    /// Reads at most so many bytes; 0 if the pipe has no writer.
    fn read(&self, received: &mut Received, most: usize) -> io::Result<usize> {
        let mut buffer = vec![0; most];
        let n = (&self.0.pipe).read(&mut buffer)?;
        received.add(&buffer[..n]);
        Ok(n)
    }

    fn received(&self) -> MutexGuard<'_, Received> {
        let received = self.0.received.lock();
        received.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inherited {
    /// Lets the program know of the pipe.
    ///
    /// # Errors
    /// If the system fails.
    pub(super) fn give(&self, command: &mut Command) -> io::Result<()> {
        let metadata = File::from(self.0.try_clone()?).metadata()?;
        let (fd, device, inode) = (self.0.as_raw_fd(), metadata.dev(), metadata.ino());
        command.env(NOTICES, format!("{fd}:{device}:{inode}"));
        Ok(())
    }
}

impl Received {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' || self.begun.len() == LONGEST {
                let line = std::mem::take(&mut self.begun);
                self.processes.add(parse(&line));
            }
            if byte != b'\n' {
                self.begun.push(byte);
            }
        }
    }
}

/// `unrecorded 1 PID CAUSE ERRNO PROGRAM`
fn parse(line: &[u8]) -> Unrecorded {
    understood(line).unwrap_or(Unrecorded {
        pid: None,
        program: None,
        cause: Cause::UnknownNotice,
    })
}

fn understood(line: &[u8]) -> Option<Unrecorded> {
    let line = line.strip_prefix(b"unrecorded 1 ")?;
    let mut words = line.splitn(4, |&byte| byte == b' ');
    let mut word = || std::str::from_utf8(words.next()?).ok();
    let (pid, cause, errno) = (word()?, word()?, word()?);
    let errno = errno.parse().ok()?;
    let program = words.next()?;
    Some(Unrecorded {
        pid: Some(pid.parse().ok()?),
        program: (!program.is_empty()).then(|| shortened(Path::new(OsStr::from_bytes(program)))),
        cause: match cause {
            "connect" => Cause::Connection(errno),
            "start" => Cause::Recorder(errno),
            "fork" => Cause::Forked,
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn notices_are_understood() {
        let process = parse(b"unrecorded 1 42 connect 2 /opt/my server");
        assert_eq!(process.pid, Some(42));
        assert_eq!(
            process.program.as_deref(),
            Some(Path::new("/opt/my server"))
        );
        assert_eq!(process.cause, Cause::Connection(2));
        for unknown in [
            "",
            "unrecorded 2 42 fork 0 x",
            "unrecorded 1 42 fork",
            "hello",
        ] {
            assert_eq!(parse(unknown.as_bytes()).cause, Cause::UnknownNotice);
        }
    }

    #[test]
    fn the_end_of_the_pipe_is_not_waited_for() {
        let (notices, inherited) = Notices::open().expect("a pipe");
        let mut writer = File::from(inherited.0.try_clone().expect("a clone"));
        for pid in 0..3 {
            writeln!(writer, "unrecorded 1 {pid} fork 0 x").expect("written");
        }
        assert_eq!(notices.take().reasons().len(), 3);
        assert!(notices.take().is_empty());
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let mut received = Received::default();
        for _ in 0..100 {
            received.add(&[b'x'; LONGEST]);
            assert!(received.begun.len() <= LONGEST);
        }
        assert!(!received.processes.is_empty());
    }
}
