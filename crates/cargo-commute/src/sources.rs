//! Source text of the observed program, for excerpts.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use commute_report::Sources;

/// A longer file is not shown.
const LONGEST: u64 = 8 << 20;

/// Reads files as locations of a trace name them: relative to the current
/// directory, to the directory of the trace, or to a package or workspace around
/// the current directory. Each is read once.
pub(crate) struct FileSources {
    directories: Vec<PathBuf>,
    read: RefCell<BTreeMap<String, Option<Arc<str>>>>,
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
}

impl Sources for FileSources {
    fn text(&self, file: &str) -> Option<Arc<str>> {
        if let Some(known) = self.read.borrow().get(file) {
            return known.clone();
        }
        let text = self.directories.iter().find_map(|d| read(&d.join(file)));
        self.read.borrow_mut().insert(file.to_owned(), text.clone());
        text
    }
}

/// The text of a regular file of moderate size. The name comes from a trace:
/// it may be a device, a pipe, or anything else that must not be read.
fn read(path: &Path) -> Option<Arc<str>> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LONGEST {
        return None;
    }
    let mut text = String::new();
    let file = File::open(path).ok()?;
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text.into())
}
