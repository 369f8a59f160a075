//! The file of `--html`: begun before the work, filled after it.

use std::fs::canonicalize;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::store::whole_file::WholeFile;

/// A file that can be written. The file that was there is kept until the page is
/// complete.
pub(crate) struct PageFile {
    name: String,
    file: WholeFile,
}

impl PageFile {
    /// Begins the file.
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
        let file =
            WholeFile::create(path).with_context(|| format!("cannot write {name} (--html)"))?;
        Ok(PageFile { name, file })
    }

    /// Replaces the contents.
    ///
    /// # Errors
    /// If that fails; then the file is as it was.
    pub(crate) fn write(mut self, page: &str) -> Result<()> {
        let written = self.file.write_all(page.as_bytes());
        let written = written.and_then(|()| self.file.finish());
        written.with_context(|| format!("cannot write {} (--html)", self.name))
    }
}
