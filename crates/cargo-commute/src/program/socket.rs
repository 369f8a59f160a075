//! The socket that the program connects to.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::Pid;
use tempfile::TempDir;

/// Before another attempt to take a connection.
const PAUSE: Duration = Duration::from_millis(10);

/// A socket in a directory of its own, which goes when this does.
pub(super) struct Socket {
    directory: TempDir,
    listener: UnixListener,
}

impl Socket {
    /// A fresh one, which only this user can reach.
    ///
    /// # Errors
    /// If there is no place for it.
    pub(super) fn new() -> Result<Socket> {
        // The path of a socket has about a hundred bytes: where temporary files
        // have a longer one, the usual place is tried.
        let places = [std::env::temp_dir(), PathBuf::from("/tmp")];
        let mut result = Err(io::ErrorKind::NotFound.into());
        for place in places {
            result = Socket::below(&place);
            match &result {
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
                _ => break,
            }
        }
        result.context("cannot make a socket for the program")
    }

    fn below(place: &Path) -> io::Result<Socket> {
        let directory = tempfile::Builder::new()
            .prefix("commute-")
            .tempdir_in(place)?;
        let listener = UnixListener::bind(directory.path().join("socket"))?;
        Ok(Socket {
            directory,
            listener,
        })
    }

    /// Where it is.
    pub(super) fn path(&self) -> PathBuf {
        self.directory.path().join("socket")
    }

    /// One that takes the connections.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub(super) fn acceptor(&self) -> io::Result<(Acceptor, Enough)> {
        let listener = self.listener.try_clone()?;
        let (enough, wake) = UnixStream::pair()?;
        Ok((Acceptor { listener, wake }, Enough(enough)))
    }
}

/// Takes the connections.
pub(super) struct Acceptor {
    listener: UnixListener,
    wake: UnixStream,
}

/// Says that no more connections are waited for, by being dropped.
pub(super) struct Enough(#[allow(dead_code)] UnixStream);

impl Acceptor {
    /// The next connection. None if nobody waits to be let in, and there have
    /// been [`Enough`].
    ///
    /// # Errors
    /// If the system fails.
    pub(super) fn next(&self) -> io::Result<Option<UnixStream>> {
        loop {
            let mut ready = [
                PollFd::from_borrowed_fd(self.listener.as_fd(), PollFlags::IN),
                PollFd::from_borrowed_fd(self.wake.as_fd(), PollFlags::IN),
            ];
            match poll(&mut ready, None) {
                Err(rustix::io::Errno::INTR) => continue,
                result => result?,
            };
            if !ready[0].revents().is_empty() {
                match self.listener.accept() {
                    Ok((stream, _)) => return Ok(Some(stream)),
                    // They will be fewer, or the one is gone.
                    Err(error) if is_temporary(&error) => thread::sleep(PAUSE),
                    Err(error) => return Err(error),
                }
                continue;
            }
            if !ready[1].revents().is_empty() {
                return Ok(None);
            }
        }
    }
}

/// Whether it is no more than too many open files, or somebody who went away.
fn is_temporary(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let temporary = [Errno::MFILE, Errno::NFILE, Errno::CONNABORTED, Errno::INTR];
    Errno::from_io_error(error).is_some_and(|errno| temporary.contains(&errno))
}

/// The process at the other end, if the system knows: the number that it says
/// itself may mean another one here.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn process(stream: &UnixStream) -> Option<Pid> {
    let peer = rustix::net::sockopt::socket_peercred(stream);
    peer.ok().map(|peer| peer.pid)
}

/// Not known here.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn process(_: &UnixStream) -> Option<Pid> {
    None
}
