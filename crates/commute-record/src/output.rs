//! Where the trace goes.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

/// Bytes that leave the process.
#[derive(Debug)]
pub(crate) enum Output {
    File(File),
    Checker(UnixStream),
}

impl Output {
    /// What the environment asks for: nothing, a place, or one that cannot be.
    pub(crate) fn from_environment() -> Option<Result<Output, String>> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        if let Some(socket) = set("COMMUTE_SOCKET") {
            return Some(Output::checker(Path::new(&socket)));
        }
        Some(Output::file(&set("COMMUTE_TRACE")?))
    }

    fn checker(socket: &Path) -> Result<Output, String> {
        let connect = || {
            let mut stream = UnixStream::connect(socket)?;
            let program = std::env::current_exe().unwrap_or_default();
            let program = program.display().to_string().replace('\n', " ");
            writeln!(stream, "commute 1 {} {program}", std::process::id())?;
            Ok(Output::Checker(stream))
        };
        let failed = |error: io::Error| format!("{}: {error}", socket.display());
        connect().map_err(failed)
    }

    /// `%p` in the name stands for the number of the process.
    fn file(name: &OsStr) -> Result<Output, String> {
        let name = match name.to_str() {
            Some(name) => name.replace("%p", &std::process::id().to_string()).into(),
            None => name.to_owned(),
        };
        let failed = |error: io::Error| format!("{}: {error}", Path::new(&name).display());
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&name)
            .map_err(failed)?;
        // A program that this one starts has the same environment.
        if file.try_lock().is_err() {
            let name = Path::new(&name).display();
            return Err(format!("{name}: another program is writing it"));
        }
        // A pipe or a device has no length.
        if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            file.set_len(0).map_err(failed)?;
        }
        Ok(Output::File(file))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::File(file) => file.write(bytes),
            Output::Checker(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::File(file) => file.flush(),
            Output::Checker(stream) => stream.flush(),
        }
    }
}
