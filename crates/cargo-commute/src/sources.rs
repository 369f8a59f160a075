//! Source text of the observed program, for excerpts.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use commute_report::{SourceText, Sources};

use crate::config;

/// A longer file is not shown.
const LONGEST: u64 = 8 << 20;

/// Reads files as locations of a trace name them: relative to the current
/// directory, to the directory of the trace, or to a package or workspace around
/// the current directory. Each is read once.
pub(crate) struct FileSources {
    directories: Vec<PathBuf>,
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
    pub(crate) fn of(trace: &Path) -> FileSources {
        let beside = trace.parent().map(Path::to_owned);
        let here = std::env::current_dir().unwrap_or_default();
        let around = here.ancestors().skip(1);
        let around = around.filter(|directory| directory.join("Cargo.toml").is_file());
        let around = around.map(Path::to_owned);
        let directories = [PathBuf::new()].into_iter().chain(beside).chain(around);
        FileSources {
            directories: directories.collect(),
            read: RefCell::default(),
        }
    }

    /// Sources of a program: relative to these directories.
    pub(crate) fn below(directories: &[PathBuf]) -> FileSources {
        FileSources {
            directories: directories.to_vec(),
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
                text: read(&path)?,
                path,
            })
        });
        { self.read.borrow_mut() }.insert(file.to_owned(), found.clone());
        found
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

/// The text of a regular file of moderate size. The name comes from a trace:
/// it may be a device, a pipe, or anything else that must not be read.
fn read(path: &Path) -> Option<Arc<SourceText>> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LONGEST {
        return None;
    }
    let mut text = String::new();
    let file = File::open(path).ok()?;
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(Arc::new(text.into()))
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
