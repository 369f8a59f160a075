//! The files that a recording goes to.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail};
use commute_trace::CtrWriter;

use crate::store::whole_file;

/// Makes sure that the file of the first process can be written, before the program
/// starts. A file that is there stays as it is, and none is made: there may be nothing to
/// write.
///
/// # Errors
/// If it cannot be written.
pub(super) fn check_writable(path: &Path) -> Result<()> {
    if path.as_os_str() == "-" {
        bail!("a trace needs a file; standard output is the program's");
    }
    let checked = if path.exists() {
        File::options().write(true).open(path)
    } else {
        // A file without a name: nothing is left if the process is killed here.
        tempfile::tempfile_in(whole_file::folder_of(path))
    };
    let checked = checked
        .map(drop)
        .map_err(|error| match error.raw_os_error() {
            Some(errno) => io::Error::from_raw_os_error(errno),
            None => error,
        });
    checked.with_context(|| format!("cannot write {}", path.display()))
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
/// The file is there as soon as there is more than a trace without events has; before, a
/// file of that name stays as it was. From then on bytes are written as they come, so that
/// all whole frames are in the file whatever happens, and the last ones say that nothing is
/// missing: a file that could not be written to its end does not claim to be whole.
pub(super) struct Saving<R>(Arc<Mutex<Copying<R>>>);

struct Copying<R> {
    from: R,
    to: Target,
}

/// Where bytes are copied to.
enum Target {
    /// To this file, which is not touched yet.
    Held(PathBuf, Vec<u8>),
    Open(File),
    Failed(io::Error),
}

/// What became of a file.
#[derive(Default)]
pub(super) struct Saved {
    /// Why it does not hold all.
    pub lost: Option<io::Error>,
    /// The bytes of a trace without events, which were not written.
    pub held: Option<Vec<u8>>,
}

impl<R: Read> Saving<R> {
    pub(super) fn new(from: R, path: &Path) -> Saving<R> {
        let to = Target::Held(path.to_owned(), Vec::new());
        Saving(Arc::new(Mutex::new(Copying { from, to })))
    }

    /// Reads what nobody has read. A file is told to be on the disk.
    pub(super) fn finish(mut self) -> Saved {
        let _ = io::copy(&mut self, &mut io::sink());
        let nothing = Target::Failed(io::ErrorKind::Other.into());
        let mut saved = Saved::default();
        match std::mem::replace(&mut self.copying().to, nothing) {
            Target::Open(file) if file.metadata().is_ok_and(|m| m.is_file()) => {
                saved.lost = file.sync_all().err();
            }
            Target::Open(_) => {}
            Target::Held(_, bytes) => saved.held = Some(bytes),
            Target::Failed(error) => saved.lost = Some(error),
        }
        saved
    }

    fn copying(&self) -> MutexGuard<'_, Copying<R>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Saved {
    /// Writes a trace without events, too, because other processes have recorded some: the
    /// number in the name of a file is that of the process.
    pub(super) fn write_held(&mut self, path: &Path) {
        if let Some(bytes) = self.held.take() {
            self.lost = begin(path, &bytes).err();
        }
    }
}

impl Target {
    fn write(&mut self, bytes: &[u8]) {
        match self {
            Target::Held(path, held) => {
                held.extend_from_slice(bytes);
                if held.len() > length_without_events() {
                    *self = begin(path, held).map_or_else(Target::Failed, Target::Open);
                }
            }
            Target::Open(file) => {
                if let Err(error) = file.write_all(bytes) {
                    *self = Target::Failed(error);
                }
            }
            Target::Failed(_) => {}
        }
    }
}

/// How long a whole trace without events is.
fn length_without_events() -> usize {
    let trace = CtrWriter::new(Vec::new()).and_then(CtrWriter::finish);
    trace.map_or(0, |trace| trace.len())
}

/// Begins a file with these bytes, in place of one that may be there: that one is lost only
/// if the new one can be written.
fn begin(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let is_there = path.symlink_metadata().is_ok();
    // What is no file, as a pipe or `/dev/null`, cannot be replaced by one; a link stays.
    let is_replaced = !is_there || path.is_file();
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let unfinished = is_replaced.then(|| whole_file::begin(&whole_file::folder_of(&path)));
    let Some(Ok(mut unfinished)) = unfinished else {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        return Ok(file);
    };
    unfinished.write_all(bytes)?;
    if let Ok(before) = path.metadata() {
        unfinished.as_file().set_permissions(before.permissions())?;
    }
    Ok(unfinished.persist(path)?)
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
        to.write(&buffer[..n]);
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

    /// Saves these bytes to a file in which there is something; what is in it then.
    fn save(bytes: &[u8]) -> (Saved, Vec<u8>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.ctr");
        std::fs::write(&path, "before").expect("written");
        let saved = Saving::new(bytes, &path).finish();
        let files = std::fs::read_dir(folder.path()).expect("read").count();
        assert_eq!(files, 1);
        (saved, std::fs::read(path).expect("read"))
    }

    #[test]
    fn a_trace_without_events_replaces_nothing() {
        let empty = CtrWriter::new(Vec::new()).and_then(CtrWriter::finish);
        let empty = empty.expect("a trace");
        for bytes in [&[][..], &empty[..7], &empty] {
            let (saved, file) = save(bytes);
            assert_eq!(saved.held.as_deref(), Some(bytes));
            assert_eq!(file, b"before");
        }
        let more = [&empty[..], b"x"].concat();
        let (saved, file) = save(&more);
        assert!(saved.held.is_none() && saved.lost.is_none());
        assert_eq!(file, more);
    }

    #[test]
    fn further_files_are_numbered_before_the_ending() {
        let of = |path: &str, number| numbered(Path::new(path), number);
        assert_eq!(of("a/t.ctr", 0), Path::new("a/t.ctr"));
        assert_eq!(of("a/t.ctr", 1), Path::new("a/t-2.ctr"));
        assert_eq!(of("t", 2), Path::new("t-3"));
        assert_eq!(of("a.b/t.x.ctr", 1), Path::new("a.b/t.x-2.ctr"));
    }
}
