//! Where the trace goes.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use crate::notice::{self, Cause};

/// The descriptor of the output, if there is one.
static DESCRIPTOR: AtomicI32 = AtomicI32::new(NONE);
const NONE: i32 = -1;

/// Bytes that leave the process.
#[derive(Debug)]
pub(crate) enum Output {
    File(File),
    Checker(UnixStream),
}

impl Output {
    /// What the environment asks for: nothing, a place, or one that cannot be. A checker
    /// that cannot be reached is told.
    pub(crate) fn from_environment() -> Option<Result<Output, String>> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let output = match set("COMMUTE_SOCKET") {
            Some(socket) => {
                notice::prepare();
                Output::checker(Path::new(&socket))
            }
            None => Output::file(&set("COMMUTE_TRACE")?),
        };
        if let Ok(output) = &output {
            DESCRIPTOR.store(output.descriptor(), Relaxed);
        }
        Some(output)
    }

    fn descriptor(&self) -> i32 {
        match self {
            Output::File(file) => file.as_raw_fd(),
            Output::Checker(stream) => stream.as_raw_fd(),
        }
    }

    /// For a forked child, which has the output open, too, and no use for it: as long
    /// as it has, a checker does not see that the parent has ended, and nobody else can
    /// lock the file.
    #[expect(unsafe_code, reason = "there is nobody to ask for the file")]
    pub(crate) fn leave_to_parent() {
        let descriptor = DESCRIPTOR.swap(NONE, Relaxed);
        if descriptor != NONE {
            // SAFETY: the descriptor is that of the output, which the thread owns that
            // writes. This thread does not exist in a child, and never will: nobody uses
            // the descriptor, or closes it again. It may be closed after a fork.
            unsafe { libc::close(descriptor) };
        }
    }

    fn checker(socket: &Path) -> Result<Output, String> {
        let connect = || {
            let mut stream = UnixStream::connect(socket)?;
            let program = std::env::current_exe().unwrap_or_default();
            let program = program.display().to_string().replace('\n', " ");
            writeln!(stream, "commute 1 {} {program}", std::process::id())?;
            Ok(Output::Checker(stream))
        };
        connect().map_err(|error: io::Error| {
            // The path alone can be wrong without the system's being asked.
            let errno = error.raw_os_error().unwrap_or(libc::EINVAL);
            notice::tell(Cause::Connect(errno));
            format!("{}: {error}", socket.display())
        })
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
