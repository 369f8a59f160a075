//! Tells `commute` that this process is not recorded.
//!
//! The socket is a path, which means nothing in another container, behind a chroot or in
//! a private `/tmp`. An inherited pipe works there: `COMMUTE_NOTICES=FD:DEVICE:INODE` names
//! it. The number alone would not do: the program may have closed the pipe and opened
//! another file since.

use std::io::Write;
use std::mem::MaybeUninit;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::process;

/// Every system writes so many bytes to a pipe at once or not at all (`_POSIX_PIPE_BUF`).
const LONGEST: usize = 512;
/// For how long a pipe may be full, in milliseconds.
const PATIENCE: libc::c_int = 5000;

/// The pipe, as it was when this process looked at its environment.
static PIPE: OnceLock<Option<Pipe>> = OnceLock::new();

/// Why this process is not recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause {
    /// It could not connect, with this error of the system.
    Connect(i32),
    /// It could not start the collector, with this error of the system.
    Start(i32),
    /// It was forked from one that is recorded.
    Fork,
}

/// The pipe and what is written to it about this program.
#[derive(Debug)]
struct Pipe {
    descriptor: libc::c_int,
    device: u64,
    inode: u64,
    program: PathBuf,
}

/// Looks for the pipe. After that, [`tell`] takes no memory and no lock, as is necessary
/// in the child of a fork.
pub(crate) fn prepare() {
    let _ = PIPE.get_or_init(Pipe::from_environment);
}

/// Writes a notice, if there is a pipe for it.
pub(crate) fn tell(cause: Cause) {
    if let Some(Some(pipe)) = PIPE.get() {
        process::without_signals(|| pipe.write(cause));
    }
}

impl Pipe {
    fn from_environment() -> Option<Pipe> {
        let variable = std::env::var("COMMUTE_NOTICES").ok()?;
        let mut numbers = variable.splitn(3, ':');
        Some(Pipe {
            descriptor: numbers.next()?.parse().ok()?,
            device: numbers.next()?.parse().ok()?,
            inode: numbers.next()?.parse().ok()?,
            program: std::env::current_exe().unwrap_or_default(),
        })
    }

    /// `unrecorded 1 PID CAUSE ERRNO PROGRAM`
    fn write(&self, cause: Cause) {
        if !self.is_there() {
            return;
        }
        let (cause, errno) = match cause {
            Cause::Connect(errno) => ("connect", errno),
            Cause::Start(errno) => ("start", errno),
            Cause::Fork => ("fork", 0),
        };
        let mut line = [0; LONGEST];
        let mut rest = &mut line[..LONGEST - 1];
        let _ = write!(rest, "unrecorded 1 {} {cause} {errno} ", std::process::id());
        let _ = rest.write(self.program.as_os_str().as_encoded_bytes());
        let length = LONGEST - 1 - rest.len();
        let newlines = line[..length].iter_mut().filter(|byte| **byte == b'\n');
        newlines.for_each(|byte| *byte = b' ');
        line[length] = b'\n';
        send(self.descriptor, &line[..=length]);
    }

    /// Whether the descriptor still is that of the pipe.
    #[expect(unsafe_code, reason = "a descriptor is asked what it is")]
    fn is_there(&self) -> bool {
        let mut found = MaybeUninit::<libc::stat>::uninit();
        // SAFETY: `fstat` takes any number, and writes the structure if it succeeds; only
        // then is it read.
        let found = unsafe {
            if libc::fstat(self.descriptor, found.as_mut_ptr()) != 0 {
                return false;
            }
            found.assume_init()
        };
        #[allow(clippy::unnecessary_cast)] // Their types depend on the system.
        let place = (found.st_dev as u64, found.st_ino as u64);
        found.st_mode & libc::S_IFMT == libc::S_IFIFO && place == (self.device, self.inode)
    }
}

/// Writes a line to a pipe that does not block. Signals must be blocked: if no process reads
/// the pipe any more, there is one.
#[expect(unsafe_code, reason = "no type of std has the descriptor")]
fn send(descriptor: libc::c_int, line: &[u8]) {
    for _ in 0..2 {
        // SAFETY: the pointer and the length are those of a slice. The descriptor is that of
        // the pipe, which was just asked; another thread may close it at any time, and then
        // the write fails or goes where the program lets a number be reused while it writes.
        let written = unsafe { libc::write(descriptor, line.as_ptr().cast(), line.len()) };
        if written >= 0 {
            return;
        }
        match std::io::Error::last_os_error().raw_os_error() {
            Some(libc::EPIPE) => return take_broken_pipe(),
            Some(libc::EAGAIN) => {}
            _ => return,
        }
        let mut full = libc::pollfd {
            fd: descriptor,
            events: libc::POLLOUT,
            revents: 0,
        };
        // SAFETY: there is one structure, which is ours.
        unsafe { libc::poll(&mut full, 1, PATIENCE) };
    }
}

/// Takes the signal of a broken pipe, which this thread has blocked: the program must not
/// be ended by it.
#[expect(unsafe_code, reason = "the C library has the signals")]
fn take_broken_pipe() {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    let mut signal = 0;
    // SAFETY: `sigpending` and `sigemptyset` write the whole set before it is read, and the
    // last call returns at once because the signal is pending: it was sent to this thread,
    // which blocks it, so no other takes it.
    unsafe {
        if libc::sigpending(set.as_mut_ptr()) != 0
            || libc::sigismember(set.as_ptr(), libc::SIGPIPE) != 1
        {
            return;
        }
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGPIPE);
        libc::sigwait(set.as_ptr(), &mut signal);
    }
}
