//! Files that are written as a whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// How names of files begin that are not complete.
pub(crate) const UNFINISHED: &str = ".unfinished-";

/// A file beside the one that is to be, to be given its name when all is there.
///
/// # Errors
/// If there can be none.
pub(crate) fn begin(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    // Others may read what we keep, unless the user's mask says no.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let begun = builder.tempfile_in(folder);
    // The name that it would have had is nobody's business.
    begun.map_err(|error| error.kind().into())
}

/// Writes a file, in place of the one that may be there.
///
/// # Errors
/// If it cannot be written; then the one that was there is as it was.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut file = begin(&folder_of(path))?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}
