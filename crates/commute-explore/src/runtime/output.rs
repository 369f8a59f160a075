//! What a test prints in one run.

#[cfg(target_os = "linux")]
pub(super) use kept::Kept;

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "std cannot redirect what is printed")]
mod kept {
    use std::fs::File;
    use std::io::{Read, Seek, SeekFrom, Write};
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

    /// How much is kept of it: the end.
    const MOST: u64 = 16 << 10;

    /// Standard output and error, in place of which a file is written.
    #[derive(Debug)]
    pub(in super::super) struct Kept {
        file: File,
        before: [(libc::c_int, OwnedFd); 2],
    }

    impl Kept {
        /// From now on. None if the operating system does not let us.
        pub(in super::super) fn begin() -> Option<Kept> {
            // SAFETY: a name that ends in a zero; the descriptor is ours.
            let file = unsafe {
                let file = libc::memfd_create(c"output".as_ptr(), libc::MFD_CLOEXEC);
                (file >= 0).then(|| File::from_raw_fd(file))?
            };
            let keep = |number: libc::c_int| {
                // SAFETY: the descriptor is ours.
                let copy = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 3) };
                // SAFETY: the same.
                (copy >= 0).then(|| (number, unsafe { OwnedFd::from_raw_fd(copy) }))
            };
            flush();
            let before = [keep(1)?, keep(2)?];
            for (number, _) in &before {
                // SAFETY: both are open.
                unsafe { libc::dup2(file.as_raw_fd(), *number) };
            }
            Some(Kept { file, before })
        }

        /// As before again; and what was printed.
        pub(in super::super) fn end(mut self) -> String {
            flush();
            for (number, before) in &self.before {
                // SAFETY: both are open.
                unsafe { libc::dup2(before.as_raw_fd(), *number) };
            }
            let mut bytes = Vec::new();
            let length = self.file.metadata().map_or(0, |file| file.len());
            let from = length.saturating_sub(MOST);
            let _ = self.file.seek(SeekFrom::Start(from));
            let _ = (&self.file).take(MOST).read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        }
    }

    fn flush() {
        let _ = std::io::stdout().flush();
        let _ = std::io::stderr().flush();
    }
}

/// Elsewhere nothing is kept.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub(super) struct Kept;

#[cfg(not(target_os = "linux"))]
impl Kept {
    pub(super) fn begin() -> Option<Kept> {
        None
    }

    pub(super) fn end(self) -> String {
        String::new()
    }
}
