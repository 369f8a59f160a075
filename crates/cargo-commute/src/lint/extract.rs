//! MIR of a project: cargo checks it, and calls us for its crates.
//!
//! It does so in a target directory of its own, so that ordinary builds stay as they
//! are. What did not change cargo does not compile again; which files belong to what
//! there is now it says in its messages, which name crates that are fresh, too.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufReader, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{Artifact, Message, Metadata, PackageId, TargetKind};

use super::compiler;
use super::unit::{Unit, mir};
use crate::cargo_project::{self, option_word};
use crate::cli::LintCargoArgs;
use crate::glob::Glob;

/// The folder below the user's target directory.
const FOLDER: &str = "commute/lint";
/// No compilation takes longer.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// The crates of a project.
pub(super) struct Project {
    /// Where locations in the source code start from.
    pub root: PathBuf,
    /// Our folder.
    pub folder: PathBuf,
    /// The manifest it is of.
    pub manifest: PathBuf,
    /// Folders of packages that are in it, and that nobody asked for.
    pub others: Vec<PathBuf>,
    /// The crates, with their MIR.
    pub units: Vec<(Unit, PathBuf)>,
}

/// Where cargo is asked.
pub(super) struct Place<'a> {
    pub args: &'a LintCargoArgs,
    /// The manifest, if one is named.
    pub manifest: Option<&'a Path>,
    /// The directory, if it is not ours.
    pub directory: Option<&'a Path>,
    pub quiet: bool,
}

impl Place<'_> {
    /// Has cargo check the project.
    ///
    /// # Errors
    /// If there is none, or it does not compile; cargo has then said why.
    pub(super) fn extract(&self) -> Result<Project> {
        let metadata = cargo_project::metadata(self.manifest, self.directory)?;
        let folder = metadata.target_directory.join(FOLDER).into_std_path_buf();
        let wrapper =
            install(&folder).with_context(|| format!("cannot write to {}", folder.display()))?;
        let kept = folder.join(compiler::FOLDER);
        let mut artifacts = self.check(&metadata, &folder, &wrapper)?;
        // Somebody has cleaned up, or we were another version then.
        if forget(&artifacts, &kept) {
            artifacts = self.check(&metadata, &folder, &wrapper)?;
        }
        let mut units = Vec::new();
        for name in artifacts.iter().filter_map(file_name) {
            let Some(unit) = Unit::read(&kept, &name) else {
                bail!("the compiler left no MIR of `{name}`");
            };
            units.push((unit, mir(&kept, &name)));
        }
        units.sort_by(|(a, _), (b, _)| (&a.package, &a.root).cmp(&(&b.package, &b.root)));
        Ok(Project {
            root: metadata.workspace_root.clone().into(),
            manifest: self.name(),
            others: others(self.args, &metadata),
            units: without_twins(units),
            folder,
        })
    }

    /// What people call the project.
    fn name(&self) -> PathBuf {
        match (self.manifest, self.directory) {
            (Some(manifest), _) => manifest.to_owned(),
            (None, Some(directory)) => directory.join("Cargo.toml"),
            (None, None) => "Cargo.toml".into(),
        }
    }

    /// The crates of the workspace that cargo has checked, or found to be fresh.
    fn check(&self, metadata: &Metadata, folder: &Path, wrapper: &Path) -> Result<Vec<Artifact>> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg("check").arg("--message-format=json");
        arguments(self.args, self.manifest, &mut command);
        command.args(self.quiet.then_some("--quiet"));
        if let Some(directory) = self.directory {
            command.current_dir(directory);
        }
        command
            .env("RUSTC_WORKSPACE_WRAPPER", wrapper)
            // A cache of compilations would keep us from being called.
            .env("RUSTC_WRAPPER", "")
            .env("CARGO_TARGET_DIR", folder)
            .env("CARGO_BUILD_BUILD_DIR", folder);
        let mut cargo = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot run cargo")?;
        let messages = cargo.stdout.take().context("cargo has no output")?;
        let members: BTreeSet<&PackageId> = metadata.workspace_members.iter().collect();
        let mut artifacts = Vec::new();
        for message in Message::parse_stream(BufReader::new(messages)) {
            match message.context("cannot read from cargo")? {
                Message::CompilerArtifact(artifact)
                    if members.contains(&artifact.package_id) && is_looked_at(&artifact) =>
                {
                    artifacts.push(artifact);
                }
                Message::CompilerMessage(message) => show(&message.message),
                _ => {}
            }
        }
        let status = cargo.wait().context("cannot wait for cargo")?;
        if !status.success() {
            bail!("the project could not be compiled");
        }
        Ok(artifacts)
    }
}

/// Why a crate does not compile. Of what the compiler has to say of one that does, we are
/// not the messenger.
fn show(message: &cargo_metadata::diagnostic::Diagnostic) {
    let is_error = matches!(
        message.level,
        DiagnosticLevel::Error | DiagnosticLevel::FailureNote | DiagnosticLevel::Ice
    );
    if let (true, Some(text)) = (is_error, &message.rendered) {
        let _ = write!(std::io::stderr(), "{text}");
    }
}

/// The words after `cargo check`.
fn arguments(args: &LintCargoArgs, manifest: Option<&Path>, command: &mut Command) {
    let named = [
        ("--package", &args.package),
        ("--bin", &args.bin),
        ("--example", &args.example),
        ("--features", &args.features.features),
    ];
    for (option, values) in named {
        for value in values {
            command.arg(option_word(option, value));
        }
    }
    let switches = [
        (args.workspace, "--workspace"),
        (args.lib, "--lib"),
        (args.bins, "--bins"),
        (args.examples, "--examples"),
        (args.tests, "--tests"),
        (args.all_targets, "--all-targets"),
        (args.features.all_features, "--all-features"),
        (args.features.no_default_features, "--no-default-features"),
        (args.locked, "--locked"),
        (args.offline, "--offline"),
    ];
    let given = switches.iter().filter(|(given, _)| *given);
    command.args(given.map(|(_, name)| name));
    if let Some(manifest) = manifest {
        command.arg(option_word("--manifest-path", manifest));
    }
}

/// Whether a crate is looked at: not if it is part of the build.
fn is_looked_at(artifact: &Artifact) -> bool {
    let kinds = &artifact.target.kind;
    let is_tool = |kind| matches!(kind, &TargetKind::CustomBuild | &TargetKind::ProcMacro);
    !kinds.iter().any(is_tool) && file_name(artifact).is_some()
}

/// The name of what we keep of a crate: that of its metadata. What is linked is for a
/// build script or a procedural macro.
fn file_name(artifact: &Artifact) -> Option<String> {
    let [metadata] = artifact.filenames.as_slice() else {
        return None;
    };
    let stem = metadata.extension().filter(|e| *e == "rmeta");
    let stem = stem.and(metadata.file_stem())?;
    Some(stem.strip_prefix("lib").unwrap_or(stem).to_owned())
}

/// Makes cargo compile again what we have nothing of.
fn forget(artifacts: &[Artifact], kept: &Path) -> bool {
    let mut forgotten = false;
    for artifact in artifacts {
        let known = file_name(artifact).and_then(|name| Unit::read(kept, &name));
        if known.is_none() {
            for file in &artifact.filenames {
                forgotten |= fs::remove_file(file).is_ok();
            }
        }
    }
    forgotten
}

/// With its tests a crate is the same crate, and more.
fn without_twins(units: Vec<(Unit, PathBuf)>) -> Vec<(Unit, PathBuf)> {
    let tested: BTreeSet<String> = { units.iter() }
        .filter(|(unit, _)| unit.harness)
        .map(|(unit, _)| unit.root.clone())
        .collect();
    let mut units = units;
    units.retain(|(unit, _)| unit.harness || !tested.contains(&unit.root));
    units
}

/// The folders of packages that are compiled only because others need them.
fn others(args: &LintCargoArgs, metadata: &Metadata) -> Vec<PathBuf> {
    let is_named = |name: &str| {
        args.package.iter().any(|spec| {
            // `name`, `name@1.0.0`, `path+file:///…#name@1.0.0`, or a glob.
            let spec = spec.rsplit('#').next().unwrap_or(spec);
            let spec = spec.split('@').next().unwrap_or(spec);
            spec == name || Glob::new(spec).is_ok_and(|glob| glob.is_match(name))
        })
    };
    let defaults = metadata.workspace_default_packages();
    let is_default = |id: &PackageId| defaults.iter().any(|package| package.id == *id);
    // A manifest that is named is that of a package, and no other is the default then.
    let others = metadata.workspace_packages().into_iter().filter(|package| {
        !args.workspace
            && match args.package.is_empty() {
                true => !is_default(&package.id),
                false => !is_named(&package.name),
            }
    });
    let folders = others.filter_map(|package| package.manifest_path.parent());
    folders.map(|folder| folder.to_owned().into()).collect()
}

/// Puts us where cargo will look for the compiler.
fn install(folder: &Path) -> Result<PathBuf> {
    let kept = folder.join(compiler::FOLDER);
    fs::create_dir_all(&kept)?;
    sweep(&kept);
    let wrapper = folder.join(compiler::NAME);
    let us = std::env::current_exe()?;
    if fs::read_link(&wrapper).is_ok_and(|old| old == us) {
        return Ok(wrapper);
    }
    // Another run may be at it, or another version of us was here.
    let new = tempfile::Builder::new()
        .make_in(folder, |new| symlink(&us, new))?
        .into_temp_path();
    fs::rename(&new, &wrapper)?;
    Ok(wrapper)
}

/// Removes what runs that were ended have left half written. What is young may be that of
/// a run that goes on.
fn sweep(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|time| time.elapsed().ok());
        let is_partial = name.ends_with(".part") || name.starts_with(".tmp");
        if is_partial && age.is_some_and(|age| age > OLD) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
