//! The file of `--html`: opened before the work, filled after it.

use std::fs::{File, OpenOptions, canonicalize};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A file that can be written. What it contained is kept until there is
/// something better.
pub(crate) struct PageFile {
    name: String,
    file: File,
}

impl PageFile {
    /// Opens the file, which is made if it does not exist.
    ///
    /// # Errors
    /// If it cannot be written, or is one of the files that are `read`.
    pub(crate) fn open<'a>(
        path: &Path,
        mut read: impl Iterator<Item = &'a PathBuf>,
    ) -> Result<PageFile> {
        let name = path.display().to_string();
        if path.as_os_str() == "-" {
            bail!("--html needs a file; standard output has the findings already");
        }
        let same = |other: &PathBuf| match (canonicalize(path), canonicalize(other)) {
            (Ok(path), Ok(other)) => path == other,
            _ => false,
        };
        if read.any(same) {
            bail!("--html {name} would overwrite what is to be read");
        }
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("cannot write {name} (--html)"))?;
        Ok(PageFile { name, file })
    }

    /// Replaces the contents.
    ///
    /// # Errors
    /// If that fails.
    pub(crate) fn write(mut self, page: &str) -> Result<()> {
        let mut write = || {
            // A pipe or a device has no length to set.
            if self.file.metadata()?.is_file() {
                self.file.set_len(0)?;
            }
            self.file.write_all(page.as_bytes())?;
            self.file.flush()
        };
        write().with_context(|| format!("cannot write {} (--html)", self.name))
    }
}
