//! The files that a recording goes to.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail};

/// The file of the first process, opened before the program starts: that it
/// cannot be written is better known early.
pub(super) struct FirstFile {
    path: PathBuf,
    /// Whether it was not there before.
    made: bool,
}

impl FirstFile {
    /// Makes sure that it can be written. What it contains is kept until there
    /// is something better.
    ///
    /// # Errors
    /// If it cannot be.
    pub(super) fn open(path: &Path) -> Result<FirstFile> {
        if path.as_os_str() == "-" {
            bail!("a trace needs a file; standard output is the program's");
        }
        let made = !path.exists();
        let mut file = OpenOptions::new();
        let file = file.write(true).create(true).truncate(false).open(path);
        file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(FirstFile {
            path: path.to_owned(),
            made,
        })
    }

    /// Nothing was recorded: there is no file, unless there was one.
    pub(super) fn discard(self) {
        if self.made {
            let _ = std::fs::remove_file(self.path);
        }
    }
}

/// The file of process `number`, from 0: the number before the ending, except
/// for the first.
pub(super) fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 0 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{}", number + 1));
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
}

/// Passes on what it reads, and writes it to a file. If that fails, it passes on
/// all the same: the program goes on. A clone reads on where the other stopped.
///
/// Bytes are written as they come, and the last ones say that nothing is
/// missing. So a file that could not be written to its end does not claim to be
/// whole.
pub(super) struct Saving<R>(Arc<Mutex<Copying<R>>>);

struct Copying<R> {
    from: R,
    to: io::Result<File>,
}

impl<R: Read> Saving<R> {
    pub(super) fn new(from: R, path: &Path) -> Saving<R> {
        let to = File::create(path);
        Saving(Arc::new(Mutex::new(Copying { from, to })))
    }

    /// Reads what nobody has read. What failed, if something did; a file is told to be
    /// on the disk.
    pub(super) fn finish(mut self) -> Option<io::Error> {
        let _ = io::copy(&mut self, &mut io::sink());
        let nothing = io::Error::from(io::ErrorKind::Other);
        match std::mem::replace(&mut self.copying().to, Err(nothing)) {
            Ok(file) if file.metadata().is_ok_and(|m| m.is_file()) => file.sync_all().err(),
            Ok(_) => None,
            Err(error) => Some(error),
        }
    }

    fn copying(&self) -> MutexGuard<'_, Copying<R>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<R> Clone for Saving<R> {
    fn clone(&self) -> Saving<R> {
        Saving(self.0.clone())
    }
}

impl<R: Read> Read for Saving<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Copying { from, to } = &mut *self.copying();
        let n = from.read(buffer)?;
        if let Ok(file) = to
            && let Err(error) = file.write_all(&buffer[..n])
        {
            *to = Err(error);
        }
        Ok(n)
    }
}

/// The process was ended by somebody who wanted the trace to end there: it does not
/// count as damaged. What cannot be ended stays as it is.
pub(super) fn end_here(path: &Path) {
    let _ = commute_trace::end_where_cut(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_files_are_numbered_before_the_ending() {
        let of = |path: &str, number| numbered(Path::new(path), number);
        assert_eq!(of("a/t.ctr", 0), Path::new("a/t.ctr"));
        assert_eq!(of("a/t.ctr", 1), Path::new("a/t-2.ctr"));
        assert_eq!(of("t", 2), Path::new("t-3"));
        assert_eq!(of("a.b/t.x.ctr", 1), Path::new("a.b/t.x-2.ctr"));
    }
}
