//! The crates of the workspace that are part of a program, and their source files.
//!
//! Which they are follows from the manifests and from what cargo built. The files of a crate
//! are those that the compiler read, which it leaves beside the results (`*.d`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{Artifact, Dependency, DependencyKind, Metadata, Package, PackageId};

use super::super::cargo_target::Built;
use super::cfg::Cfg;
use super::libraries;

/// Commute's own packages: what they do is recorded, or is none of the program's.
const OWN: &[&str] = &[
    "commute",
    "commute-compose",
    "commute-dashmap",
    "commute-explore",
    "commute-macros",
    "commute-record",
    "commute-std",
];

/// A crate of the workspace in a program.
pub(super) struct Crate {
    /// Its package.
    pub name: String,
    /// Its files, with the configuration that they were compiled with; none if the compiler
    /// has not left a list.
    pub files: Option<BTreeMap<PathBuf, Cfg>>,
    /// Libraries that are not instrumented among its direct dependencies: the name in the
    /// code, and the package.
    pub libraries: BTreeMap<String, String>,
}

/// Finds the crates of the workspace that the targets consist of.
pub(super) fn of_program(built: &Built, metadata: &Metadata, swapped: &[&str]) -> Vec<Crate> {
    let members: BTreeMap<&PackageId, &Package> = { metadata.packages.iter() }
        .filter(|package| metadata.workspace_members.contains(&package.id))
        .filter(|package| !OWN.contains(&package.name.as_str()))
        .map(|package| (&package.id, package))
        .collect();
    let roots: BTreeSet<&PackageId> = built.chosen.iter().map(|a| &a.package_id).collect();
    let mut found = BTreeMap::new();
    let mut left: Vec<&PackageId> = roots.iter().copied().collect();
    while let Some(id) = left.pop() {
        let Some(package) = members.get(id).filter(|_| !found.contains_key(id)) else {
            continue;
        };
        // Examples and tests may use what only they depend on.
        let is_tested = built.chosen.iter().any(|artifact| {
            artifact.package_id == *id
                && !artifact
                    .target
                    .kind
                    .contains(&cargo_metadata::TargetKind::Bin)
        });
        let wanted = |dependency: &&Dependency| match dependency.kind {
            DependencyKind::Normal => true,
            DependencyKind::Development => is_tested,
            _ => false,
        };
        let dependencies: Vec<&Dependency> = package.dependencies.iter().filter(wanted).collect();
        for dependency in &dependencies {
            let folder = dependency.path.as_deref();
            let member = members
                .values()
                .find(|member| member.manifest_path.parent() == folder);
            left.extend(
                member
                    .filter(|member| is_built(built, &member.id))
                    .map(|m| &m.id),
            );
        }
        let used = dependencies.iter().filter(|dependency| {
            let name = &*dependency.name;
            libraries::is_known(name) && !swapped.contains(&name) && is_built_by_name(built, name)
        });
        let libraries = used.map(|dependency| {
            let name = dependency.rename.as_ref().unwrap_or(&dependency.name);
            (name.replace('-', "_"), dependency.name.clone())
        });
        found.insert(id, libraries.collect());
    }
    let files = Files::read(built, metadata);
    let mut crates: Vec<Crate> = { found.into_iter() }
        .map(|(id, libraries)| Crate {
            name: members[id].name.to_string(),
            files: files.of(members[id]),
            libraries,
        })
        .collect();
    crates.sort_by(|a, b| a.name.cmp(&b.name));
    crates
}

fn is_built(built: &Built, id: &PackageId) -> bool {
    built
        .libraries
        .iter()
        .any(|artifact| artifact.package_id == *id)
}

/// Whether a dependency is part of the build: it may be optional, or for another system.
fn is_built_by_name(built: &Built, package: &str) -> bool {
    let name = package.replace('-', "_");
    let mut names = built
        .libraries
        .iter()
        .map(|a| a.target.name.replace('-', "_"));
    names.any(|other| other == name)
}

/// The source files of all crates that are part of a program.
struct Files {
    /// By package; none for one whose list is not there.
    by_package: BTreeMap<PackageId, Option<BTreeMap<PathBuf, Cfg>>>,
}

impl Files {
    fn read(built: &Built, metadata: &Metadata) -> Files {
        let mut files = Files {
            by_package: BTreeMap::new(),
        };
        let root = metadata.workspace_root.as_std_path();
        for artifact in built.libraries.iter().chain(&built.chosen) {
            let is_member = metadata.workspace_members.contains(&artifact.package_id);
            if is_member {
                files.add(artifact, root, metadata);
            }
        }
        files
    }

    /// Adds the files of an artifact. The list of an executable has those of the libraries
    /// in it, too.
    fn add(&mut self, artifact: &Artifact, root: &Path, metadata: &Metadata) {
        let cfg = Cfg {
            features: artifact.features.iter().cloned().collect(),
            test: artifact.profile.test,
        };
        let list = listed(artifact, root);
        let files = self.by_package.entry(artifact.package_id.clone());
        let files = files.or_insert_with(|| Some(BTreeMap::new()));
        let (Some(list), Some(files)) = (list, files.as_mut()) else {
            *files = None;
            return;
        };
        let scripts: Vec<&Path> = { metadata.packages.iter() }
            .flat_map(|package| &package.targets)
            .filter(|target| target.is_custom_build())
            .map(|target| target.src_path.as_std_path())
            .collect();
        let name = metadata
            .packages
            .iter()
            .find(|p| p.id == artifact.package_id);
        let name = name.map_or("", |package| package.name.as_str());
        for file in list.files {
            let is_rust = file.extension().is_some_and(|extension| extension == "rs");
            let is_own = match owner(&file, metadata) {
                Owner::Package(id) => *id == artifact.package_id,
                Owner::Script(folder) => folder.starts_with(&format!("{name}-")),
                Owner::Unknown => !list.has_dependencies,
            };
            if is_rust && is_own && !scripts.contains(&&*file) {
                files.entry(file).or_insert_with(|| cfg.clone());
            }
        }
    }

    fn of(&self, package: &Package) -> Option<BTreeMap<PathBuf, Cfg>> {
        self.by_package.get(&package.id).cloned().flatten()
    }
}

/// Where a source file comes from.
enum Owner<'a> {
    /// The package in whose folder it is.
    Package(&'a PackageId),
    /// The build script whose results are in this folder.
    Script(String),
    /// It is in no folder of the workspace.
    Unknown,
}

fn owner<'a>(file: &Path, metadata: &'a Metadata) -> Owner<'a> {
    let folder = |package: &&Package| {
        let folder = package.manifest_path.parent();
        folder.map(|folder| folder.as_std_path().to_owned())
    };
    let folders: Vec<_> = { file.iter() }.map(|part| part.to_string_lossy()).collect();
    let out = folders
        .windows(3)
        .find(|parts| parts[0] == "build" && parts[2] == "out");
    if let Some(parts) = out.filter(|_| file.starts_with(&metadata.target_directory)) {
        return Owner::Script(parts[1].to_string());
    }
    let within =
        |package: &&Package| folder(package).is_some_and(|folder| file.starts_with(folder));
    let packages = metadata.packages.iter().filter(within);
    let nearest = packages.max_by_key(|package| folder(package).map(|f| f.as_os_str().len()));
    nearest.map_or(Owner::Unknown, |package| Owner::Package(&package.id))
}

/// The files that the compiler read.
struct List {
    files: Vec<PathBuf>,
    /// Whether those of dependencies are among them, from whatever folder.
    has_dependencies: bool,
}

/// Reads the list that belongs to an artifact. The one beside an executable is made by
/// cargo, and has the files of all its dependencies that are folders.
fn listed(artifact: &Artifact, root: &Path) -> Option<List> {
    let results = artifact.executable.iter().chain(&artifact.filenames);
    for result in results {
        let name = result.file_stem()?;
        let name = if artifact.executable.is_none() {
            name.strip_prefix("lib").unwrap_or(name)
        } else {
            name
        };
        let beside = result.with_file_name(format!("{name}.d"));
        if let Ok(text) = std::fs::read_to_string(&beside) {
            let is_by_cargo = !result
                .parent()
                .is_some_and(|folder| folder.ends_with("deps"));
            return Some(List {
                files: prerequisites(&text, root),
                has_dependencies: is_by_cargo,
            });
        }
    }
    None
}

/// The prerequisites of the first rule of a makefile, from `root`.
fn prerequisites(text: &str, root: &Path) -> Vec<PathBuf> {
    let line = text.lines().find_map(|line| line.split_once(": "));
    let Some((_, rest)) = line else {
        return Vec::new();
    };
    // A space in a name stands behind a backslash.
    let mut names = vec![String::new()];
    let mut characters = rest.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\\' if characters.peek() == Some(&' ') => {
                names.last_mut().expect("one").extend(characters.next());
            }
            ' ' => names.push(String::new()),
            c => names.last_mut().expect("one").push(c),
        }
    }
    let names = names.into_iter().filter(|name| !name.is_empty());
    names.map(|name| root.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_rule_are_read() {
        let text = "/t/deps/a-1.d: src/lib.rs src/a\\ b.rs /o/x.rs\n\n/t/liba.rlib: src/lib.rs\n# env-dep:X=1\n";
        let files = prerequisites(text, Path::new("/w"));
        let expected = ["/w/src/lib.rs", "/w/src/a b.rs", "/o/x.rs"];
        assert_eq!(files, expected.map(PathBuf::from));
        assert!(prerequisites("", Path::new("/w")).is_empty());
    }
}
