//! What a process says that is not recorded, to the pipe that it has inherited.

use std::fs::File;
use std::io::{PipeReader, PipeWriter, Read};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use crate::command;

/// A pipe that programs inherit, which does not block.
fn pipe() -> (PipeReader, PipeWriter) {
    let (reader, writer) = std::io::pipe().unwrap();
    // SAFETY: the descriptor is that of the pipe, and no other thread of this test starts
    // programs.
    #[expect(unsafe_code, reason = "std has pipes that are not inherited")]
    unsafe {
        libc::fcntl(writer.as_raw_fd(), libc::F_SETFD, 0);
        libc::fcntl(writer.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK);
    }
    (reader, writer)
}

/// A program that finds this file under this number as the pipe for notices.
fn program(name: &str, socket: &Path, descriptor: RawFd, file: File) -> Command {
    let metadata = file.metadata().unwrap();
    let (device, inode) = (metadata.dev(), metadata.ino());
    let mut command = command(name, Path::new(""));
    command
        .env("COMMUTE_SOCKET", socket)
        .env("COMMUTE_NOTICES", format!("{descriptor}:{device}:{inode}"));
    command
}

/// Runs it with a pipe of its own; what it writes to it.
fn notices(name: &str, socket: &Path) -> String {
    let (mut reader, writer) = pipe();
    let copy = File::from(std::os::fd::OwnedFd::from(writer.try_clone().unwrap()));
    let output = program(name, socket, writer.as_raw_fd(), copy).output();
    assert!(output.unwrap().status.success());
    drop(writer);
    let mut notices = String::new();
    reader.read_to_string(&mut notices).unwrap();
    notices
}

fn this_program() -> String {
    std::env::current_exe().unwrap().display().to_string()
}

pub(crate) fn not_connected() {
    let long = format!("/{}", "x".repeat(200));
    let errors = [("/nowhere/s", libc::ENOENT), (&long, libc::EINVAL)];
    for (socket, errno) in errors {
        let notices = notices("exit_well", Path::new(socket));
        let rest = format!(" connect {errno} {}\n", this_program());
        let pid = notices.strip_prefix("unrecorded 1 ").unwrap();
        let pid = pid
            .strip_suffix(&rest)
            .unwrap_or_else(|| panic!("{notices}"));
        assert!(pid.parse::<u32>().is_ok(), "one line: {notices}");
    }
}

/// Runs a program whose connection is taken, and read to its end.
fn connected(name: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let socket = directory.path().join("s");
    let listener = UnixListener::bind(&socket).unwrap();
    let checker = std::thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        stream.read_to_end(&mut Vec::new()).unwrap();
    });
    let notices = notices(name, &socket);
    checker.join().unwrap();
    notices
}

pub(crate) fn forked() {
    let notices = connected("fork_and_go_on");
    let rest = format!(" fork 0 {}\n", this_program());
    assert!(notices.ends_with(&rest), "{notices}");
    assert_eq!(notices.lines().count(), 1, "{notices}");
}

/// Most children start another program, which has the variables.
pub(crate) fn forked_and_idle() {
    assert_eq!(connected("fork_and_exit"), "");
}

/// A file has the number now, or another pipe; or none has it.
pub(crate) fn elsewhere() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let socket = Path::new("/nowhere/s");
    let (mut reader, writer) = pipe();
    let descriptor = writer.as_raw_fd();
    let other = File::from(std::os::fd::OwnedFd::from(std::io::pipe().unwrap().1));
    for file in [File::create(&path).unwrap(), other] {
        let status = program("exit_well", socket, descriptor, file).status();
        assert!(status.unwrap().success());
    }
    drop(writer);
    let mut notices = String::new();
    reader.read_to_string(&mut notices).unwrap();
    assert_eq!(notices, "");
    let file = File::create(&path).unwrap();
    let status = program("exit_well", socket, 1 << 20, file.try_clone().unwrap()).status();
    assert!(status.unwrap().success());
    for nonsense in ["", "1", "1:2", "a:b:c", "-1:0:0"] {
        let file = file.try_clone().unwrap();
        let mut program = program("exit_well", socket, 0, file);
        let status = program.env("COMMUTE_NOTICES", nonsense).status();
        assert!(status.unwrap().success());
    }
    assert_eq!(file.metadata().unwrap().len(), 0);
}

/// Also not one that has the signal of a broken pipe end it.
pub(crate) fn unread() {
    for name in ["exit_well", "end_by_broken_pipes"] {
        let (reader, writer) = pipe();
        let copy = File::from(std::os::fd::OwnedFd::from(writer.try_clone().unwrap()));
        let mut program = program(name, Path::new("/nowhere/s"), writer.as_raw_fd(), copy);
        drop(reader);
        let output = program.output().unwrap();
        assert!(output.status.success(), "{name}: {}", output.status);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("not recorded: /nowhere/s"), "{said}");
    }
}
