//! Files that are written as a whole or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

/// How names of files begin that are not complete.
pub(crate) const UNFINISHED: &str = ".unfinished-";

/// More links than this are a cycle.
const MOST_LINKS: usize = 40;

/// Creates a file beside the one that is to be, to be given its name when it is
/// complete.
///
/// # Errors
/// If it cannot be created.
pub(crate) fn begin(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    // Others may read what we keep, unless the user's mask says no.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let begun = builder.tempfile_in(folder);
    // The error of the temporary file has its name, which means nothing to the user.
    begun.map_err(|error| error.kind().into())
}

/// Writes a file, in place of the one that may be there.
///
/// # Errors
/// If it cannot be written; then the one that was there is as it was.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.finish()
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// An output file: the file of its name is replaced when this one is complete, and
/// stays as it was if this one is dropped before.
///
/// A link stays a link, and the file that it leads to is replaced. A device, a pipe
/// and an open file by a link of the system (`/dev/stdout`) are written to directly,
/// and so is a file in a folder where no other can be created.
pub(crate) struct WholeFile {
    file: File,
    /// The temporary file and its later name, unless the file is written directly.
    unfinished: Option<(TempPath, PathBuf)>,
    /// Whether the old contents have yet to be removed, of a file that is written
    /// directly.
    is_old: bool,
    /// Whether there was a file of this name.
    replaces: bool,
}

impl WholeFile {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn create(path: &Path) -> io::Result<WholeFile> {
        let (path, is_special) = resolved(path)?;
        let old = match OpenOptions::new().write(true).open(&path) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let Some(old) = old else {
            return WholeFile::unfinished(path, false);
        };
        let metadata = old.metadata()?;
        if !is_special && metadata.is_file() {
            match WholeFile::unfinished(path, true) {
                Ok(begun) => {
                    begun.file.set_permissions(metadata.permissions())?;
                    // A file of another user stays theirs, if that is allowed.
                    #[cfg(unix)]
                    {
                        use std::os::unix::fs::{MetadataExt, fchown};
                        let _ = fchown(&begun.file, Some(metadata.uid()), Some(metadata.gid()));
                    }
                    return Ok(begun);
                }
                Err(error) if error.kind() == ErrorKind::PermissionDenied => {}
                Err(error) => return Err(error),
            }
        }
        Ok(WholeFile {
            is_old: metadata.is_file(),
            file: old,
            unfinished: None,
            replaces: true,
        })
    }

    fn unfinished(path: PathBuf, replaces: bool) -> io::Result<WholeFile> {
        let (file, temporary) = begin(&folder_of(&path))?.into_parts();
        Ok(WholeFile {
            file,
            unfinished: Some((temporary, path)),
            is_old: false,
            replaces,
        })
    }

    /// Gives the complete file its name.
    ///
    /// # Errors
    /// If it cannot be written; then the one that was there is as it was.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.remove_old()?;
        self.file.flush()?;
        let Some((temporary, path)) = self.unfinished else {
            return Ok(());
        };
        if self.replaces {
            // Some file systems find out late that there is no room.
            self.file.sync_data()?;
        }
        temporary.persist(path).map_err(|error| error.error)
    }

    fn remove_old(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_old) {
            self.file.set_len(0)?;
        }
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.remove_old()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Follows links to the file that a path leads to, which need not be there; stops with
/// `true` at a link of the system, such as `/dev/stdout`, which names an open file.
fn resolved(path: &Path) -> io::Result<(PathBuf, bool)> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(to) = path.read_link() else {
            return Ok((path, false));
        };
        let whole = std::path::absolute(&path)?;
        if whole.starts_with("/dev") || whole.starts_with("/proc") {
            return Ok((path, true));
        }
        path = folder_of(&path).join(to);
    }
    Err(io::Error::other("too many links"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_the_old_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        let write = |text: &str| {
            let mut file = WholeFile::create(&path).expect("begun");
            file.write_all(text.as_bytes()).expect("written");
            file
        };
        drop(write("first"));
        assert_eq!(entries(folder.path()), 0);
        write("first").finish().expect("finished");
        let mode = || path.metadata().expect("is there").permissions().mode() & 0o777;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("allowed");
        drop(write("second"));
        assert_eq!(fs::read_to_string(&path).expect("read"), "first");
        write("second").finish().expect("finished");
        assert_eq!(fs::read_to_string(&path).expect("read"), "second");
        assert_eq!((mode(), entries(folder.path())), (0o640, 1));
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).expect("made");
        symlink("inner/b", at("c")).expect("made");
        symlink("c", at("a")).expect("made");
        for text in ["new", "old"] {
            replace(&at("a"), text).expect("written");
            assert_eq!(fs::read_to_string(at("inner/b")).expect("read"), text);
            assert!(at("a").is_symlink() && at("c").is_symlink());
        }
        symlink("d", at("d")).expect("made");
        replace(&at("d"), "").expect_err("a cycle");
    }

    #[test]
    fn devices_are_written_to() {
        replace(Path::new("/dev/null"), "text").expect("written");
        assert!(!Path::new("/dev/null").is_file());
        let error = replace(Path::new("/dev/full"), "text").expect_err("full");
        assert_eq!(error.kind(), ErrorKind::StorageFull);
    }

    #[test]
    fn a_file_that_must_not_be_written_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        replace(folder.path(), "text").expect_err("a folder");
        replace(&folder.path().join("no/a"), "text").expect_err("no folder");
    }
}
