//! Which libraries with locks and channels for asynchronous code a test binary contains, and
//! whether their functions may have been inlined.
//!
//! Functions of an optimised library may be inlined, and its generic functions also into
//! crates that use it. The artifact messages of cargo give the packages of a build and their
//! levels of optimisation; `cargo metadata` gives the dependencies between packages. Without
//! the latter, every package is taken to use every other.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{Artifact, Metadata, MetadataCommand, PackageId, TargetKind};
use commute_explore::Library;
use commute_explore::runtime::LIBRARIES;

use super::super::environment::Environment;
use super::super::toolchain::Toolchain;

/// The packages that a run of cargo has built.
#[derive(Default)]
pub(super) struct Built {
    /// The libraries of interest: package, and name of the crate.
    libraries: BTreeSet<(PackageId, String)>,
    /// Packages with an optimised target.
    optimised: BTreeSet<PackageId>,
}

impl Built {
    /// Notes an artifact.
    pub(super) fn add(&mut self, artifact: &Artifact) {
        let runs_in_compiler =
            |kind: &TargetKind| matches!(kind, TargetKind::ProcMacro | TargetKind::CustomBuild);
        if artifact.target.kind.iter().any(runs_in_compiler) {
            return;
        }
        let id = &artifact.package_id;
        let name = artifact.target.name.replace('-', "_");
        if LIBRARIES.contains(&&*name) {
            self.libraries.insert((id.clone(), name));
        }
        if artifact.profile.opt_level != "0" {
            self.optimised.insert(id.clone());
        }
    }

    /// Returns the libraries in the test binaries of a package.
    pub(super) fn of(&self, package: &PackageId, uses: &Uses) -> Vec<Library> {
        let used = uses.all(package);
        let is_used = |id: &PackageId| used.as_ref().is_none_or(|used| used.contains(id));
        let optimised = self.optimised.iter().filter(|id| is_used(id));
        let optimised: Vec<_> = optimised.map(|id| uses.all(id)).collect();
        let mut found: BTreeMap<&str, bool> = BTreeMap::new();
        for (id, name) in self.libraries.iter().filter(|(id, _)| is_used(id)) {
            let mut by = optimised.iter();
            let by_optimised = by.any(|used| used.as_ref().is_none_or(|used| used.contains(id)));
            *found.entry(name).or_default() |= uses.all_are_optimised || by_optimised;
        }
        let found = found.into_iter();
        found
            .map(|(name, is_optimised)| Library {
                name: name.to_owned(),
                is_optimised,
            })
            .collect()
    }

    /// Returns which package uses which, as far as that matters.
    pub(super) fn uses(&self, environment: &Environment) -> Uses {
        let mut uses = Uses::default();
        if self.libraries.is_empty() {
            return uses;
        }
        let Ok(toolchain) = Toolchain::find() else {
            return uses;
        };
        uses.all_are_optimised = optimise(&toolchain.rustflags.flags);
        let metadata = environment.metadata.as_ref();
        uses.dependencies = metadata.and_then(|metadata| dependencies(metadata, &toolchain.target));
        uses
    }
}

/// How the packages of a build depend on each other.
#[derive(Default)]
pub(super) struct Uses {
    /// The dependencies of each package; none if they are not known.
    dependencies: Option<BTreeMap<PackageId, Vec<PackageId>>>,
    /// Whether flags of rustc optimise all packages, of which cargo does not tell.
    all_are_optimised: bool,
}

impl Uses {
    /// Returns a package and all that it depends on; none if that is not known.
    fn all(&self, package: &PackageId) -> Option<BTreeSet<PackageId>> {
        let dependencies = self.dependencies.as_ref()?;
        let mut all = BTreeSet::new();
        let mut left = vec![package];
        while let Some(id) = left.pop() {
            if all.insert(id.clone()) {
                left.extend(dependencies.get(id)?);
            }
        }
        Some(all)
    }
}

/// Whether these flags make rustc optimise.
fn optimise(flags: &[String]) -> bool {
    let is_level = |flag: &String| flag.contains("opt-level=") && !flag.ends_with("=0");
    { flags.iter() }.any(|flag| flag == "-O" || is_level(flag))
}

/// Asks cargo for the dependencies on the platform of the tests. All that is needed was
/// downloaded for the build.
fn dependencies(
    metadata: &Metadata,
    platform: &str,
) -> Option<BTreeMap<PackageId, Vec<PackageId>>> {
    let mut command = MetadataCommand::new();
    command.manifest_path(metadata.workspace_root.join("Cargo.toml"));
    command.other_options(["--offline", "--filter-platform", platform].map(str::to_owned));
    let resolved = command.exec().ok()?.resolve?;
    let nodes = resolved.nodes.into_iter();
    Some(nodes.map(|node| (node.id, node.dependencies)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> PackageId {
        PackageId {
            repr: name.to_owned(),
        }
    }

    /// `tested` uses `wrapper`, which uses `tokio`; `other` uses neither.
    fn uses() -> Uses {
        let all = [
            ("tested", vec![id("wrapper")]),
            ("wrapper", vec![id("tokio")]),
            ("tokio", Vec::new()),
            ("other", Vec::new()),
        ];
        let all = all.into_iter().map(|(name, on)| (id(name), on));
        Uses {
            dependencies: Some(all.collect()),
            all_are_optimised: false,
        }
    }

    #[track_caller]
    fn check(package: &str, uses: &Uses, optimised: &[&str], expected: Option<bool>) {
        let built = Built {
            libraries: BTreeSet::from([(id("tokio"), "tokio".to_owned())]),
            optimised: optimised.iter().map(|name| id(name)).collect(),
        };
        let found = built.of(&id(package), uses);
        let found: Vec<_> = found.iter().map(|library| library.is_optimised).collect();
        assert_eq!(found, Vec::from_iter(expected));
    }

    #[test]
    fn a_library_is_optimised_if_itself_or_what_uses_it_is() {
        check("tested", &uses(), &[], Some(false));
        for one in ["tested", "wrapper", "tokio"] {
            check("tested", &uses(), &[one], Some(true));
        }
        check("tested", &uses(), &["other"], Some(false));
        check("other", &uses(), &["tokio"], None);
    }

    #[test]
    fn flags_that_optimise_are_known() {
        let optimises = |flags: &str| {
            let flags: Vec<String> = flags.split(' ').map(str::to_owned).collect();
            optimise(&flags)
        };
        assert!(optimises("-O") && optimises("-Copt-level=s") && optimises("-C opt-level=1"));
        assert!(!optimises("-Copt-level=0") && !optimises("--cfg commute"));
        let by_flags = Uses {
            all_are_optimised: true,
            ..uses()
        };
        check("tested", &by_flags, &[], Some(true));
    }

    #[test]
    fn what_is_not_known_to_be_apart_uses_each_other() {
        check("tested", &Uses::default(), &[], Some(false));
        check("tested", &Uses::default(), &["other"], Some(true));
        for (optimised, expected) in [("unknown", true), ("wrapper", true), ("other", false)] {
            check("unknown", &uses(), &[optimised], Some(expected));
        }
    }
}
