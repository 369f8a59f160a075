//! The socket that the program connects to.
//!
//! Only processes of this user, and of root, are let in. The directory of the socket has
//! mode 0700 for every umask, so other users cannot reach the socket; where the system
//! knows the user of the peer process, that user is checked as well.

use std::fs::{self, Permissions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Uid, geteuid};
use tempfile::TempDir;

/// Before another attempt to take a connection.
const PAUSE: Duration = Duration::from_millis(10);
/// So many attempts are made when no connection can end that would free descriptors.
const ATTEMPTS: usize = 100;

/// A socket in a directory of its own, which goes when this does.
pub(super) struct Socket {
    directory: TempDir,
}

impl Socket {
    /// A fresh one, which only this user can reach, and what takes its connections.
    ///
    /// # Errors
    /// If there is no place for it.
    pub(super) fn listen() -> Result<(Socket, Acceptor, Enough)> {
        // The path of a socket has about a hundred bytes, and not every file system
        // keeps permissions: where the place for temporary files does not serve, the
        // usual one is tried.
        let first = std::env::temp_dir();
        let result = Socket::below(&first).or_else(|error| match error.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => {
                Socket::below(Path::new("/tmp"))
            }
            _ => Err(error),
        });
        let (directory, listener) = result.with_context(|| {
            format!(
                "cannot make a socket for the program in {}; set TMPDIR to a directory where that is possible",
                first.display()
            )
        })?;
        let (enough, wake) = UnixStream::pair().context("cannot use the socket")?;
        let acceptor = Acceptor { listener, wake };
        Ok((Socket { directory }, acceptor, Enough(enough)))
    }

    fn below(place: &Path) -> io::Result<(TempDir, UnixListener)> {
        let directory = tempfile::Builder::new()
            .prefix("commute-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(place)?;
        // The umask can take permissions away from us, too.
        fs::set_permissions(directory.path(), Permissions::from_mode(0o700))?;
        check_private(directory.path())?;
        let path = directory.path().join("socket");
        let listener = UnixListener::bind(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        // So that `accept` returns if the process that made it ready is gone.
        listener.set_nonblocking(true)?;
        Ok((directory, listener))
    }

    /// Where it is.
    pub(super) fn path(&self) -> PathBuf {
        self.directory.path().join("socket")
    }
}

/// Checks that the directory belongs to this user and that no other user can enter it.
///
/// # Errors
/// If it is not: the file system does not keep owners and permissions.
fn check_private(directory: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(directory)?;
    let is_ours = found.is_dir() && found.uid() == geteuid().as_raw();
    if is_ours && found.mode() & 0o777 == 0o700 {
        return Ok(());
    }
    let (name, uid, mode) = (directory.display(), found.uid(), found.mode() & 0o7777);
    let message =
        format!("{name} does not stay private: it has the owner {uid} and the mode {mode:04o}");
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}

/// Takes the connections.
pub(super) struct Acceptor {
    listener: UnixListener,
    wake: UnixStream,
}

/// Says that no more connections are waited for, by being dropped.
pub(super) struct Enough(#[allow(dead_code)] UnixStream);

/// A process that has connected.
pub(super) enum Arrival {
    /// It may record. Its number is known where the system tells.
    Admitted(UnixStream, Option<Pid>),
    /// It is of another user; the connection is closed.
    Refused(Stranger),
}

/// A process that has connected and was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stranger {
    /// It is of another user.
    Of { user: Uid, pid: Pid },
    /// The system does not say whose it is.
    Hidden,
}

impl Acceptor {
    /// The next connection. None if nobody waits to be let in, and there have
    /// been [`Enough`]. `may_free` says whether descriptors can become free without
    /// this connection: then it is waited for.
    ///
    /// # Errors
    /// If the system fails, or has no descriptor left and none can become free.
    pub(super) fn next(&self, may_free: impl Fn() -> bool) -> io::Result<Option<Arrival>> {
        let mut attempts = 0;
        loop {
            let mut ready = [
                PollFd::from_borrowed_fd(self.listener.as_fd(), PollFlags::IN),
                PollFd::from_borrowed_fd(self.wake.as_fd(), PollFlags::IN),
            ];
            match poll(&mut ready, None) {
                Err(rustix::io::Errno::INTR) => continue,
                result => result?,
            };
            let [listener, wake] = ready.map(|descriptor| !descriptor.revents().is_empty());
            if !listener && wake {
                return Ok(None);
            }
            if !listener {
                continue;
            }
            match self.listener.accept() {
                Ok((stream, _)) => return admit(stream, geteuid()).map(Some),
                Err(error) if is_gone(&error) => {}
                Err(error) if is_exhausted(&error) => {
                    if wake || !may_free() {
                        attempts += 1;
                    }
                    if attempts > ATTEMPTS {
                        return Err(error);
                    }
                    thread::sleep(PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// Lets a process in if it is of this user or of root.
fn admit(stream: UnixStream, us: Uid) -> io::Result<Arrival> {
    let pid = match peer(&stream) {
        Peer::Known { pid, user } if user == us || user.is_root() => Some(pid),
        Peer::Known { user, pid } => return Ok(Arrival::Refused(Stranger::Of { user, pid })),
        Peer::Hidden => return Ok(Arrival::Refused(Stranger::Hidden)),
        Peer::Untold => None,
    };
    stream.set_nonblocking(false)?;
    Ok(Arrival::Admitted(stream, pid))
}

/// Whether the process that wanted to connect is not there any more.
fn is_gone(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let gone = [Errno::CONNABORTED, Errno::INTR, Errno::AGAIN];
    Errno::from_io_error(error).is_some_and(|errno| gone.contains(&errno))
}

/// Whether there are too many open files, or too little memory for another.
fn is_exhausted(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let exhausted = [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| exhausted.contains(&errno))
}

/// The process at the other end of a connection, as the system knows it: the number that
/// the process states may mean another one here.
#[allow(dead_code)] // Which of them there are depends on the system.
enum Peer {
    /// Its number, and its effective user when it connected.
    Known { pid: Pid, user: Uid },
    /// It is of a container that this process cannot see.
    Hidden,
    /// This system does not tell: the directory of the socket keeps others out.
    Untold,
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn peer(stream: &UnixStream) -> Peer {
    // The system has the number 0 for a process that cannot be seen from here, which the
    // type of the result cannot hold.
    match rustix::net::sockopt::socket_peercred(stream) {
        Ok(peer) => Peer::Known {
            pid: peer.pid,
            user: peer.uid,
        },
        Err(_) => Peer::Hidden,
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn peer(_: &UnixStream) -> Peer {
    Peer::Untold
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mode of the file at this path.
    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).expect("it is there").mode() & 0o777
    }

    #[test]
    fn only_this_user_can_reach_the_socket() {
        let (socket, _acceptor, _enough) = Socket::listen().expect("a socket");
        assert_eq!(mode(socket.directory.path()), 0o700);
        assert_eq!(mode(&socket.path()), 0o600);
    }

    #[test]
    fn a_directory_that_others_can_enter_is_refused() {
        let directory = tempfile::tempdir().expect("a folder");
        for (permissions, is_private) in [(0o700, true), (0o710, false), (0o702, false)] {
            let permissions = Permissions::from_mode(permissions);
            fs::set_permissions(directory.path(), permissions).expect("set");
            let checked = check_private(directory.path());
            assert_eq!(checked.is_ok(), is_private, "{checked:?}");
        }
        check_private(Path::new("/nowhere/at/all")).expect_err("it is not there");
    }

    #[test]
    fn processes_of_this_user_and_of_root_are_admitted() {
        let (socket, acceptor, _enough) = Socket::listen().expect("a socket");
        let _stream = UnixStream::connect(socket.path()).expect("connected");
        let arrival = acceptor.next(|| false).expect("taken");
        let Some(Arrival::Admitted(stream, pid)) = arrival else {
            panic!("this process is of this user");
        };
        if cfg!(target_os = "linux") {
            assert_eq!(pid, Some(rustix::process::getpid()));
            // As another user, not root, sees it.
            let other = Uid::from_raw(geteuid().as_raw() + 1);
            let arrival = admit(stream, other).expect("a peer");
            let is_refused = matches!(arrival, Arrival::Refused(_));
            assert_eq!(is_refused, !geteuid().is_root());
        }
    }

    /// The variable with the socket that a process of another user connects to.
    const CONNECT: &str = "COMMUTE_TEST_CONNECT";

    /// The process that the next test starts.
    #[test]
    fn a_process_of_another_user() {
        if let Some(path) = std::env::var_os(CONNECT) {
            UnixStream::connect(path).expect("connected");
        }
    }

    /// Also if it gets past the directory. Only root can test it.
    #[test]
    #[cfg(target_os = "linux")]
    #[expect(clippy::print_stdout, reason = "a test that cannot run says so")]
    fn processes_of_other_users_are_refused() {
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};
        if !geteuid().is_root() {
            println!("skipped: only root can start a process of another user");
            return;
        }
        let (socket, acceptor, _enough) = Socket::listen().expect("a socket");
        let open = |path: &Path| fs::set_permissions(path, Permissions::from_mode(0o777));
        open(socket.directory.path()).expect("opened");
        open(&socket.path()).expect("opened");
        let mut command = Command::new(std::env::current_exe().expect("this test"));
        command.args(["a_process_of_another_user", "--nocapture"]);
        command.env(CONNECT, socket.path()).stdout(Stdio::null());
        let status = command.uid(65534).gid(65534).status();
        assert!(status.expect("it runs").success());
        let arrival = acceptor.next(|| false).expect("taken");
        let Some(Arrival::Refused(Stranger::Of { user, .. })) = arrival else {
            panic!("it is admitted");
        };
        assert_eq!(user.as_raw(), 65534);
    }
}
