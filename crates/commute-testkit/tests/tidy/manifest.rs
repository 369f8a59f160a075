//! The manifests of the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::source::{read, root};

/// The entries of a manifest: table, key, value.
pub(crate) type Manifest = Vec<(String, String, String)>;

/// The entries of the tables of a manifest: table, key, value.
pub(crate) fn manifest(path: &Path) -> Manifest {
    let mut table = String::new();
    let mut entries = Vec::new();
    for line in read(path).lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            table = name.trim_matches(['[', ']']).to_owned();
            // `[dependencies.x]` is an entry of `[dependencies]`.
            if let Some((parent, key)) = name.split_once("dependencies.") {
                let parent = format!("{parent}dependencies");
                entries.push((parent, key.to_owned(), String::new()));
            }
        } else if let Some((key, value)) = line.split_once('=') {
            entries.push((
                table.clone(),
                key.trim().to_owned(),
                value.trim().to_owned(),
            ));
        }
    }
    entries
}

/// The crates of the workspace and their manifests.
pub(crate) fn crates() -> BTreeMap<String, Manifest> {
    let folder = root().join("crates");
    let entries = fs::read_dir(&folder).expect("crates/ is there");
    entries
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.join("Cargo.toml").exists())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), manifest(&path.join("Cargo.toml")))
        })
        .collect()
}

/// What the crate needs when it is used, not when it is tested.
pub(crate) fn dependencies(manifest: &[(String, String, String)]) -> BTreeSet<&str> {
    manifest
        .iter()
        .filter(|(table, ..)| {
            table.ends_with("dependencies") && !table.ends_with("dev-dependencies")
        })
        .map(|(_, key, _)| key.split('.').next().unwrap_or(key))
        .collect()
}
