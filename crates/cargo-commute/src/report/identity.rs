//! What tells one trace, program or test of several runs from another.

use std::path::{Path, PathBuf};

use commute_report::TestName;

use crate::store::read::{StoredRun, StoredTrace};

/// What it is, whatever it was called.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Identity {
    /// Wherever it was explored: its shards may be of several machines.
    Test(TestName),
    /// A file, by where it is: it was named from where the run was made.
    Path(PathBuf),
    /// Nobody can tell one from another.
    StandardInput,
}

impl Identity {
    pub(super) fn of(run: &StoredRun, trace: &StoredTrace) -> Identity {
        match (run.test_of(trace), &*trace.trace.name) {
            (Some(test), _) => Identity::Test(test.full_name.clone()),
            (None, "standard input") => Identity::StandardInput,
            (None, name) => Identity::Path(real(&run.path_of(name))),
        }
    }

    /// The test, if it is one.
    pub(super) fn test(&self) -> Option<&TestName> {
        match self {
            Identity::Test(test) => Some(test),
            Identity::Path(_) | Identity::StandardInput => None,
        }
    }

    /// What tells it from others of the same name: the path from here, if there is one.
    pub(super) fn path_from_here(&self) -> Option<String> {
        let Identity::Path(path) = self else {
            return None;
        };
        let here = real(Path::new("."));
        let path = path.strip_prefix(here).unwrap_or(path);
        Some(path.to_string_lossy().into_owned())
    }
}

/// The path without what can be said in two ways. A file may be gone.
fn real(path: &Path) -> PathBuf {
    let real = path.canonicalize().or_else(|_| std::path::absolute(path));
    real.unwrap_or_else(|_| path.to_owned())
}
