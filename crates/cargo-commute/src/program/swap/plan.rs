//! What the compilers have to know: a file beside them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::stand_ins::StandIns;
use crate::cli::Swapped;
use crate::program::toolchain::Toolchain;

/// Its name.
const FILE: &str = "plan.json";

/// What is replaced by what.
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct Plan {
    /// The library of the stand-in for each crate, by the name of the original.
    pub crates: BTreeMap<String, PathBuf>,
    /// Where the stand-ins have what they depend on.
    pub directories: Vec<PathBuf>,
    /// What they were built for.
    pub target: String,
    /// What the user has around rustc.
    pub wrapper: Option<PathBuf>,
    /// The real one.
    pub rustdoc: PathBuf,
}

impl Plan {
    pub(super) fn new(crates: &[Swapped], stand_ins: StandIns, toolchain: &Toolchain) -> Plan {
        let StandIns {
            mut libraries,
            directories,
        } = stand_ins;
        // A program that uses `commute` already has one recorder, not two.
        let ours = libraries.remove("commute").map(|l| ("commute".into(), l));
        let swapped = crates.iter().filter_map(|krate| {
            let library = libraries.remove(&format!("commute_{}", krate.name()))?;
            Some((krate.name().to_owned(), library))
        });
        Plan {
            crates: swapped
                .collect::<Vec<_>>()
                .into_iter()
                .chain(ours)
                .collect(),
            directories,
            target: toolchain.target.clone(),
            wrapper: toolchain.wrapper.clone(),
            rustdoc: toolchain.rustdoc.clone(),
        }
    }

    /// Writes it to a folder. What is in the name of the folder is in the file, so
    /// if somebody else writes it too, it is the same.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut file, self)?;
        file.persist(folder.join(FILE))?;
        Ok(())
    }

    pub(super) fn read(folder: &Path) -> Result<Plan> {
        let path = folder.join(FILE);
        let text = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()));
        serde_json::from_slice(&text?).with_context(|| format!("{} is damaged", path.display()))
    }
}
