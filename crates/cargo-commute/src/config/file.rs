//! Where `commute.toml` is.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::trust;
use crate::shell_word::shell_word;
use crate::text_file;

/// The name of the file.
pub(crate) const FILE: &str = "commute.toml";

/// What the root of a repository contains.
pub(super) const REPOSITORY: [&str; 5] = [".git", ".hg", ".jj", ".svn", ".pijul"];

/// Nobody writes more by hand: whatever this is, it is no file of ours.
const LONGEST: u64 = 1 << 20;

/// A file, and what is in it.
#[derive(Debug)]
pub(crate) struct File {
    path: PathBuf,
    /// What is in it.
    pub text: String,
}

/// The root of the repository that a folder is in, if it is in one.
pub(crate) fn repository(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| is_repository(folder))
}

fn is_repository(folder: &Path) -> bool {
    REPOSITORY.iter().any(|name| folder.join(name).exists())
}

impl File {
    /// Finds the nearest file: in this folder or, inside of a repository, above it up to the
    /// root. Folders above the root, or above a folder without a repository, may belong to
    /// other users.
    ///
    /// # Errors
    /// If there is one that cannot be read, or that others can have written.
    pub(super) fn find(folder: &Path) -> Result<Option<File>> {
        // An empty path is what is here.
        let Ok(whole) = Path::new(".").join(folder).canonicalize() else {
            // Whoever needs the folder says what is wrong with it.
            return Ok(None);
        };
        let last = repository(&whole).unwrap_or(&whole);
        let mut above = folder.to_owned();
        for real in whole.ancestors() {
            // A link to nowhere, or a folder, is a mistake that somebody wants to know of.
            if real.join(FILE).symlink_metadata().is_ok() {
                return File::read_own(above.join(FILE)).map(Some);
            }
            if real == last {
                return Ok(None);
            }
            above.push("..");
        }
        Ok(None)
    }

    /// Reads a file that was found.
    ///
    /// # Errors
    /// If it cannot be read, or others can have written it.
    fn read_own(path: PathBuf) -> Result<File> {
        let word = shell_word(&path);
        let remedy = format!(
            "if its options are wanted, name it: `--config {word}`, or COMMUTE_CONFIG={word}"
        );
        let file = trust::open_own(&path, &remedy)?;
        let text = text_file::read_open(&file, &path, LONGEST)?;
        Ok(File { path, text })
    }

    /// Reads a file that the user has named. Its owner is not checked.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn read(path: &Path) -> Result<File> {
        let text = text_file::read(path, LONGEST)?;
        Ok(File {
            path: path.to_owned(),
            text,
        })
    }

    /// Whether a path in the file leads below the folder of the file, the only place for its
    /// output.
    pub(super) fn may_write(&self, path: &str) -> bool {
        trust::is_below(&self.relative(path), &self.relative("."))
    }

    /// What people call it.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// What a path in it means: it is relative to the file.
    pub(super) fn relative(&self, path: &str) -> PathBuf {
        self.path
            .parent()
            .map_or_else(|| PathBuf::from(path), |folder| folder.join(path))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_one_counts_and_none_beyond_the_repository() {
        let here = tempfile::tempdir().expect("a folder");
        let at = |name: &str| here.path().join(name);
        fs::create_dir_all(at("repository/.git")).expect("made");
        fs::create_dir_all(at("repository/a/b")).expect("made");
        fs::create_dir_all(at("alone/a")).expect("made");
        fs::write(at("commute.toml"), "# outside").expect("written");
        fs::write(at("alone/commute.toml"), "# alone").expect("written");
        let found = |folder: &str| {
            let file = File::find(&at(folder)).expect("it can be read");
            file.map(|file| (file.text.clone(), file.name()))
        };
        assert_eq!(found("repository/a/b"), None);
        fs::write(at("repository/commute.toml"), "# root").expect("written");
        let (text, name) = found("repository/a/b").expect("a file");
        assert_eq!(text, "# root");
        assert!(name.ends_with("a/b/../../commute.toml"), "{name}");
        fs::write(at("repository/a/commute.toml"), "# a").expect("written");
        assert_eq!(found("repository/a/b").expect("a file").0, "# a");
        assert_eq!(found("repository").expect("a file").0, "# root");
        assert_eq!(found("nowhere"), None);
        // Without a repository, only the folder itself is searched.
        assert_eq!(found("alone").expect("a file").0, "# alone");
        assert_eq!(found("alone/a"), None);
        fs::create_dir_all(at("repository/a/b/commute.toml")).expect("made");
        assert!(File::find(&at("repository/a/b")).is_err());
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let here = tempfile::tempdir().expect("a folder");
        let path = here.path().join("x.toml");
        fs::write(&path, b"quiet = true\n# \xff").expect("written");
        let error = File::read(&path).expect_err("no text").to_string();
        assert!(
            error.ends_with("x.toml:2:3: this is no text in UTF-8"),
            "{error}"
        );
        fs::write(&path, vec![b'#'; LONGEST as usize + 1]).expect("written");
        let error = File::read(&path).expect_err("too long").to_string();
        assert!(error.contains("longer than"), "{error}");
    }
}
