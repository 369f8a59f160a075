//! The program at a terminal: one that we hold the other end of.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// What a command shows at a terminal of this width, standard output and standard error
/// as they come, and its exit code. Lines end as in a file.
pub(crate) fn at_terminal(command: Command, columns: u16) -> (Option<i32>, String) {
    with_errors_to(command, columns, None)
}

/// The same, with standard error in a file if there is one.
pub(crate) fn with_errors_to(
    mut command: Command,
    columns: u16,
    errors: Option<File>,
) -> (Option<i32>, String) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).expect("it is ours");
    unlockpt(&ours).expect("it can be opened");
    let name = ptsname(&ours, Vec::new()).expect("it has a name");
    let size = Winsize {
        ws_row: 50,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let path = Path::new(name.to_str().expect("a path"));
    let theirs = OpenOptions::new().read(true).write(true).open(path);
    let theirs = theirs.expect("it opens");
    tcsetwinsize(&theirs, size).expect("it has a size");
    command.stdout(theirs.try_clone().expect("once more"));
    match errors {
        Some(file) => command.stderr(file),
        None => command.stderr(theirs.try_clone().expect("once more")),
    };
    command.stdin(theirs);
    let mut child = command.spawn().expect("it runs");
    // The command holds their end, too: as long as it does, we would wait.
    drop(command);
    let text = read(ours);
    let code = child.wait().expect("it ends").code();
    (code, text.replace("\r\n", "\n"))
}

/// All that comes until nobody holds the other end.
fn read(ours: OwnedFd) -> String {
    let mut ours = File::from(ours);
    let mut all = Vec::new();
    let mut buffer = [0; 4096];
    // The end of a terminal is an error.
    while let Ok(count) = ours.read(&mut buffer) {
        if count == 0 {
            break;
        }
        all.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8(all).expect("UTF-8")
}
