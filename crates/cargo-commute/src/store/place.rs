//! Where findings are kept: in cargo's target directory, which is found without cargo.
//!
//! Cargo need not be there to check a trace; and where rustup stands for it, asking it
//! may begin with fetching a toolchain. So its rules are followed here: the nearest
//! `Cargo.toml`, the workspace that it belongs to, and the settings for the target
//! directory.

use std::path::{Path, PathBuf};

use cargo_config2::Config;
use toml::de::{DeTable, DeValue};

use crate::cli::Shared;

/// The folder below the target directory.
const FOLDER: &str = "commute";

/// A folder of ours.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    root: PathBuf,
    /// Whether somebody has asked for it by name.
    pub is_asked_for: bool,
}

impl Place {
    /// Where findings are kept, if they are to be, of a project that is looked for at
    /// `start`, or here.
    pub(crate) fn of(shared: &Shared, start: Option<&Path>) -> Option<Place> {
        if let Some(root) = &shared.store.out_dir {
            return Some(Place {
                root: root.clone(),
                is_asked_for: true,
            });
        }
        let here = || target_directory(Path::new("."));
        let target = start.and_then(target_directory).or_else(here)?;
        // Shorter, for whoever reads it.
        let here = std::env::current_dir().ok();
        let inner = here.and_then(|here| Some(target.strip_prefix(here).ok()?.to_owned()));
        Some(Place {
            root: inner.unwrap_or(target).join(FOLDER),
            is_asked_for: false,
        })
    }

    /// The folder of runs.
    pub(crate) fn findings(&self) -> PathBuf {
        self.root.join("findings")
    }

    /// The folder of schedules.
    pub(crate) fn schedules(&self) -> PathBuf {
        self.root.join("schedules")
    }

    /// Makes the folder of runs.
    ///
    /// # Errors
    /// If that is not possible.
    pub(crate) fn make(&self) -> std::io::Result<PathBuf> {
        let target = self.root.parent().filter(|_| !self.is_asked_for);
        let is_new = target.is_some_and(|target| !target.exists());
        let findings = self.findings();
        std::fs::create_dir_all(&findings)?;
        if let Some(target) = target.filter(|_| is_new) {
            // As cargo does it, so that nobody makes backups of it.
            let tag = "Signature: 8a477f597d28d172789f06886806bc55\n\
                # This file is a cache directory tag created by commute.\n\
                # For information about cache directory tags see https://bford.info/cachedir/\n";
            let _ = std::fs::write(target.join("CACHEDIR.TAG"), tag);
        }
        Ok(findings)
    }
}

/// The target directory of the project that this file or folder is in.
fn target_directory(start: &Path) -> Option<PathBuf> {
    let start = std::path::absolute(start).ok()?;
    let mut folders = start.ancestors();
    let package = folders.find(|folder| folder.join("Cargo.toml").is_file())?;
    if !is_of_project(&package.join("Cargo.toml"), &start) {
        return None;
    }
    // Like cargo, from where we are, not from where the project is.
    let config = Config::load().ok();
    let set = config.and_then(|config| config.build.target_dir.clone());
    match set {
        Some(target) => Some(target),
        None => Some(workspace_root(package)?.join("target")),
    }
}

/// Whether a manifest belongs to the user, to root, or to the owner of the folder below it. Any other was put above the folders of others, and nothing is written beside it.
#[cfg(unix)]
fn is_of_project(manifest: &Path, start: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let owner = |path: &Path| path.metadata().map(|metadata| metadata.uid());
    let Ok(of_manifest) = owner(manifest) else {
        return false;
    };
    let user = rustix::process::geteuid().as_raw();
    of_manifest == user || of_manifest == 0 || owner(start).is_ok_and(|of| of == of_manifest)
}

#[cfg(not(unix))]
fn is_of_project(_manifest: &Path, _start: &Path) -> bool {
    true
}

/// The root of the workspace that the package in this folder belongs to.
fn workspace_root(package: &Path) -> Option<PathBuf> {
    let manifest = std::fs::read_to_string(package.join("Cargo.toml")).ok()?;
    let manifest = DeTable::parse(&manifest).ok()?;
    if get(manifest.get_ref(), "workspace").is_some() {
        return Some(package.to_owned());
    }
    let own = get(manifest.get_ref(), "package").and_then(DeValue::as_table);
    let named = own.and_then(|own| get(own, "workspace"));
    if let Some(root) = named.and_then(DeValue::as_str) {
        return std::path::absolute(package.join(root)).ok();
    }
    for folder in package.ancestors().skip(1) {
        let Ok(text) = std::fs::read_to_string(folder.join("Cargo.toml")) else {
            continue;
        };
        let above = DeTable::parse(&text).ok()?;
        let workspace = get(above.get_ref(), "workspace").and_then(DeValue::as_table);
        if let Some(workspace) = workspace {
            let is_in = |key| {
                let list = get(workspace, key).and_then(DeValue::as_array);
                let mut paths = list.into_iter().flatten();
                paths.any(|path| {
                    let path = path.get_ref().as_str();
                    path.is_some_and(|path| package.starts_with(folder.join(path)))
                })
            };
            return Some(match is_in("exclude") && !is_in("members") {
                true => package.to_owned(),
                false => folder.to_owned(),
            });
        }
    }
    Some(package.to_owned())
}

fn get<'a, 't>(table: &'a DeTable<'t>, key: &str) -> Option<&'a DeValue<'t>> {
    let mut entries = table.iter();
    let found = entries.find(|(name, _)| **name.get_ref() == *key);
    found.map(|(_, value)| value.get_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folder of the workspace that the package in `package` belongs to.
    fn check(files: &[(&str, &str)], package: &str, expected: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("one")).expect("made");
            std::fs::write(path, text).expect("written");
        }
        let root = workspace_root(&folder.path().join(package)).expect("a root");
        let (root, expected) = (root.canonicalize(), folder.path().join(expected));
        assert_eq!(
            root.expect("there"),
            expected.canonicalize().expect("there")
        );
    }

    /// Only root can give a file to others.
    #[cfg(unix)]
    #[test]
    fn a_manifest_that_others_put_above_is_none() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("work")).expect("made");
        std::fs::write(at("Cargo.toml"), "[package]\nname = \"a\"\n").expect("written");
        let is_found = || target_directory(&at("work")).is_some();
        assert!(is_found());
        let give = |name: &str| std::os::unix::fs::chown(at(name), Some(12345), None);
        give("Cargo.toml").expect("given away");
        assert!(!is_found());
        give("work").expect("given away");
        assert!(is_found());
    }

    #[test]
    fn workspaces_are_found_like_cargo_finds_them() {
        let package = "[package]\nname = \"a\"\n";
        let alone = ("a/Cargo.toml", package);
        check(&[alone], "a", "a");
        check(&[alone, ("Cargo.toml", package)], "a", "a");
        let members = "[workspace]\nmembers = [\"a\"]\n";
        check(&[alone, ("Cargo.toml", members)], "a", ".");
        let excludes = "[workspace]\nexclude = [\"a\"]\n";
        check(&[alone, ("Cargo.toml", excludes)], "a", "a");
        let both = "[workspace]\nexclude = [\"a\"]\nmembers = [\"a/b\"]\n";
        let inner = ("a/b/Cargo.toml", package);
        check(&[alone, inner, ("Cargo.toml", both)], "a/b", ".");
        let elsewhere = "[package]\nname = \"a\"\nworkspace = \"../w\"\n";
        let files = [("a/Cargo.toml", elsewhere), ("w/Cargo.toml", members)];
        check(&files, "a", "w");
    }
}
