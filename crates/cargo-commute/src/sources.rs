//! Source text of the observed program, for excerpts.

pub(crate) mod roots;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use commute_report::{SourceText, Sources};

use self::roots::{Roots, packages_around};
use crate::cli::Shared;
use crate::config;

/// A longer file is not shown.
const LONGEST: u64 = 8 << 20;

/// Reads files as locations of a trace name them: relative to the current
/// directory, to the directory of the trace, to a package or workspace around
/// the current directory, or to a directory of `--sources`. Each is read once, if it may
/// be shown ([`roots`]).
pub(crate) struct FileSources {
    directories: Vec<PathBuf>,
    roots: Roots,
    read: RefCell<BTreeMap<String, Option<Found>>>,
}

/// A file that was found.
#[derive(Clone)]
struct Found {
    text: Arc<SourceText>,
    path: PathBuf,
}

impl FileSources {
    /// Sources of a trace.
    pub(crate) fn of(trace: &Path, shared: &Shared) -> FileSources {
        let mut roots = Roots::here(&shared.sources);
        let beside = trace.parent().map(Path::to_owned);
        beside.iter().for_each(|directory| roots.add(directory));
        let here = std::env::current_dir().unwrap_or_default();
        let around = packages_around(&here).map(Path::to_owned);
        let directories = [PathBuf::new()].into_iter().chain(beside).chain(around);
        FileSources::new(directories.collect(), roots, shared)
    }

    /// Sources of a program of the user's, with those of its dependencies: relative to these
    /// directories, which the user has named.
    pub(crate) fn of_program(directories: &[PathBuf], shared: &Shared) -> FileSources {
        let mut roots = Roots::here(&shared.sources);
        directories
            .iter()
            .for_each(|directory| roots.add(directory));
        roots.add_dependencies();
        FileSources::new(directories.to_vec(), roots, shared)
    }

    /// Sources of class files: relative to these directories. The user has named those of
    /// `beside`.
    pub(crate) fn of_classes(
        directories: Vec<PathBuf>,
        beside: &[PathBuf],
        shared: &Shared,
    ) -> FileSources {
        let mut roots = Roots::here(&shared.sources);
        beside.iter().for_each(|directory| roots.add(directory));
        FileSources::new(directories, roots, shared)
    }

    /// Sources of a stored run, relative to directories that it names. It may come from
    /// elsewhere: nothing is shown because it says so.
    pub(crate) fn of_stored(directories: Vec<PathBuf>, shared: &Shared) -> FileSources {
        FileSources::new(directories, Roots::here(&shared.sources), shared)
    }

    fn new(mut directories: Vec<PathBuf>, roots: Roots, shared: &Shared) -> FileSources {
        directories.extend(shared.sources.iter().cloned());
        FileSources {
            directories,
            roots,
            read: RefCell::default(),
        }
    }

    /// The directories in which files are looked for.
    pub(crate) fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    fn find(&self, file: &str) -> Option<Found> {
        if let Some(known) = self.read.borrow().get(file) {
            return known.clone();
        }
        let mut paths = self.directories.iter().map(|folder| folder.join(file));
        let found = paths.find_map(|path| {
            Some(Found {
                text: self.read(&path)?,
                path,
            })
        });
        { self.read.borrow_mut() }.insert(file.to_owned(), found.clone());
        found
    }

    /// Returns the text of a file of moderate size that may be shown.
    fn read(&self, path: &Path) -> Option<Arc<SourceText>> {
        let file = self.roots.open_source(path)?;
        if file.metadata().ok()?.len() > LONGEST {
            return None;
        }
        let mut text = String::new();
        file.take(LONGEST).read_to_string(&mut text).ok()?;
        Some(Arc::new(text.into()))
    }
}

impl Sources for FileSources {
    fn text(&self, file: &str) -> Option<Arc<SourceText>> {
        Some(self.find(file)?.text)
    }

    fn path(&self, file: &str) -> Option<String> {
        let here = std::env::current_dir().unwrap_or_default();
        from(&here, file, &self.find(file)?.path)
    }

    fn in_repository(&self, path: &str) -> Option<String> {
        called_in_repository(path)
    }
}

/// What who begins at the root of the repository calls a path from here.
pub(crate) fn in_repository(path: &str) -> String {
    called_in_repository(path).unwrap_or_else(|| path.to_owned())
}

/// The same, if there is a repository and it is called something else there.
fn called_in_repository(path: &str) -> Option<String> {
    let here = std::env::current_dir().unwrap_or_default();
    below_root(&here, config::repository(&here)?, path)
}

/// What a path from a folder is called from the root above it, if that is something else.
fn below_root(here: &Path, root: &Path, path: &str) -> Option<String> {
    let is_of_windows = path.starts_with('\\') || path.get(1..3) == Some(":\\");
    if is_of_windows && !cfg!(windows) {
        return None;
    }
    let mut whole = PathBuf::new();
    for part in here.join(path).components() {
        match part {
            Component::ParentDir => {
                whole.pop();
            }
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    let below = match whole.strip_prefix(root) {
        Ok(below) => below,
        // It may be there by another name.
        Err(_) => {
            let real = whole.canonicalize().unwrap_or_default();
            match (real.strip_prefix(root), Path::new(path).is_relative()) {
                (Ok(below), _) => return below.to_str().map(str::to_owned),
                (Err(_), true) => return whole.to_str().map(str::to_owned),
                (Err(_), false) => return None,
            }
        }
    };
    let below = below.to_str()?;
    (below != path).then(|| below.to_owned())
}

/// What a file that was found is called in a folder, if that is not its name: below the
/// folder by its path there, elsewhere by all of its path. In a package or a workspace
/// around the folder it is called as the compiler calls it, from there.
fn from(here: &Path, name: &str, path: &Path) -> Option<String> {
    let below = path.strip_prefix(here).unwrap_or(path);
    let around = { path.to_str()?.strip_suffix(name) }.map(Path::new);
    let is_around = around.is_some_and(|around| here.starts_with(around));
    let is_named = below == Path::new(name) || (is_around && below.is_absolute());
    (!is_named).then(|| below.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_by_where_they_are_in_the_repository() {
        for (here, path, expected) in [
            ("/w/rust", "src/a.rs", Some("rust/src/a.rs")),
            ("/w/rust", "./src/a.rs", Some("rust/src/a.rs")),
            ("/w/rust", "../c/a.rs", Some("c/a.rs")),
            ("/w/rust", "/w/c/a.rs", Some("c/a.rs")),
            ("/w", "src/a.rs", None),
            ("/w", "/x/a.rs", None),
            ("/w", "../a.rs", Some("/a.rs")),
            ("/w/rust", r"C:\a\b.rs", None),
        ] {
            let called = below_root(Path::new(here), Path::new("/w"), path);
            assert_eq!(called.as_deref(), expected, "{path} in {here}");
        }
    }

    #[test]
    fn files_are_called_by_what_opens_them() {
        for (here, name, path, expected) in [
            ("/w", "pool.rs", "traces/pool.rs", Some("traces/pool.rs")),
            ("/w", "pool.rs", "/w/traces/pool.rs", Some("traces/pool.rs")),
            ("/w", "src/a.rs", "src/a.rs", None),
            ("/w", "src/a.rs", "/w/src/a.rs", None),
            ("/w/crates/b", "src/a.rs", "/w/src/a.rs", None),
            ("/w", "a.rs", "/elsewhere/a.rs", Some("/elsewhere/a.rs")),
            ("/w", "/w/a.rs", "/w/a.rs", Some("a.rs")),
        ] {
            let called = from(Path::new(here), name, Path::new(path));
            assert_eq!(called.as_deref(), expected, "{path} in {here}");
        }
    }
}
