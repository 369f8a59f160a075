//! What is kept of a crate that was compiled: its MIR, and beside it a few words about
//! it, by which the command knows the crate without compiling it again.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// Changes when crates have to be looked at again although they did not change: when
/// the flags of the compiler do, or the words below.
const FORMAT: u32 = 1;

/// A crate that was compiled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Unit {
    format: u32,
    /// The name of the crate.
    pub name: String,
    /// `lib`, `bin`, …
    pub kind: String,
    pub edition: String,
    /// Where its source code begins, as the compiler was told.
    pub root: String,
    /// The folder of its package.
    pub package: PathBuf,
    /// The compiler: `rustc 1.95.0 (…)`.
    pub rustc: String,
    /// Whether it is compiled with its tests.
    pub harness: bool,
    /// Whether the MIR says where in the source its statements are.
    pub spans: bool,
    /// When it was compiled. Sources may change without a trace in MIR, but not without
    /// a compilation.
    pub made: u128,
    /// Why there is no MIR, if there is none.
    pub failure: Option<String>,
}

impl Unit {
    /// A crate of which nothing is known yet.
    pub(super) fn new(name: &str) -> Unit {
        Unit {
            format: FORMAT,
            name: name.to_owned(),
            kind: String::new(),
            edition: "2015".to_owned(),
            root: String::new(),
            package: PathBuf::new(),
            rustc: String::new(),
            harness: false,
            spans: false,
            made: 0,
            failure: None,
        }
    }

    /// Whether others can use it.
    pub(super) fn is_library(&self) -> bool {
        self.kind != "bin"
    }

    /// What was kept under this name, if it is all there and not of another version of
    /// ours.
    pub(super) fn read(folder: &Path, name: &str) -> Option<Unit> {
        let text = fs::read_to_string(folder.join(format!("{name}.json"))).ok()?;
        let unit: Unit = serde_json::from_str(&text).ok()?;
        let is_whole = unit.failure.is_some() || mir(folder, name).is_file();
        (unit.format == FORMAT && is_whole).then_some(unit)
    }

    /// Keeps it under this name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&self, folder: &Path, name: &str) -> Result<()> {
        let text = serde_json::to_string(self)?;
        replace(&folder.join(format!("{name}.json")), text.as_bytes())
    }
}

/// Where the MIR of a crate is.
pub(super) fn mir(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.mir"))
}

/// Writes a file as a whole or not at all, whenever we are ended.
///
/// # Errors
/// If it cannot be written.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_kept_with_its_mir() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut unit = Unit::new("a");
        unit.made = 7;
        unit.write(folder.path(), "a-1").expect("written");
        assert_eq!(Unit::read(folder.path(), "a-1"), None);
        fs::write(mir(folder.path(), "a-1"), "").expect("written");
        assert_eq!(Unit::read(folder.path(), "a-1"), Some(unit.clone()));
        unit.format += 1;
        unit.write(folder.path(), "a-1").expect("written");
        assert_eq!(Unit::read(folder.path(), "a-1"), None);
    }
}
