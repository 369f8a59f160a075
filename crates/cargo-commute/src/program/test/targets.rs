//! Test binaries, and the tests of ours in them.

use std::ffi::OsString;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use cargo_metadata::Message;
use commute_explore::Library;
use commute_report::TestName;

use super::super::cargo_target::{of_chosen_targets, of_every_target};
use super::super::environment::Environment;
use super::libraries::Built;
use super::test_target::{Name, TestTarget};
use crate::cli::CargoArgs;

/// A test binary, and how it is run.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Where it is.
    pub binary: PathBuf,
    variables: Arc<Vec<(OsString, OsString)>>,
    directory: Option<PathBuf>,
    /// The package it is of.
    pub package: String,
    /// Libraries in it whose objects no operation shows.
    pub libraries: Arc<Vec<Library>>,
    /// The option that names it to cargo.
    pub option: TestTarget,
}

impl Target {
    /// The command that runs it as cargo would.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.envs(self.variables.iter().cloned());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

/// A test.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// As people call it.
    pub name: String,
    pub target: Target,
    /// Whether it is marked to be ignored.
    pub is_ignored: bool,
}

impl Found {
    /// What tells it from others.
    pub(super) fn full_name(&self) -> TestName {
        let package = Some(&self.target.package).filter(|package| !package.is_empty());
        TestName {
            name: self.name.clone(),
            package: package.cloned(),
            target: Some(self.target.option.to_string()),
        }
    }
}

/// What the attribute adds to the name of a function.
const SUFFIX: &str = "::commute";

/// The name that the harness knows a test by.
pub(super) fn name_in_harness(name: &str) -> String {
    format!("{name}{SUFFIX}")
}

/// Which of them.
pub(super) enum Only<'a> {
    /// What the command line says besides the rest.
    Asked { lib: bool, workspace: bool },
    /// This one, in this package unless the command line names one.
    Named {
        package: Option<&'a Name>,
        target: Option<&'a TestTarget>,
    },
}

/// Builds the test binaries.
///
/// # Errors
/// If cargo fails, which has then said why.
pub(super) fn build(
    cargo: &CargoArgs,
    only: &Only<'_>,
    environment: &Environment,
    quiet: bool,
) -> Result<Vec<Target>> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(["test", "--no-run"]);
    match only {
        Only::Asked { lib, workspace } => {
            command.args(lib.then_some("--lib"));
            command.args(workspace.then_some("--workspace"));
        }
        Only::Named { package, target } => {
            let package = package.filter(|_| cargo.package.is_none());
            command.args(package.map(|name| format!("--package={name}")));
            command.args(target.map(TestTarget::option));
        }
    }
    command.args(of_chosen_targets(cargo));
    command.args(of_every_target(cargo));
    if !cargo.release && cargo.profile.is_none() {
        command.args(optimised());
    }
    command.args(quiet.then_some("--quiet"));
    environment.give(&mut command);
    let mut running = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run cargo")?;
    let mut targets = Vec::new();
    let mut packages_of_targets = Vec::new();
    let mut built = Built::default();
    let messages = running.stdout.take().context("cargo has no output")?;
    for message in Message::parse_stream(BufReader::new(messages)) {
        let Message::CompilerArtifact(artifact) = message.context("cannot read from cargo")? else {
            continue;
        };
        built.add(&artifact);
        if artifact.profile.test
            && let Some(binary) = &artifact.executable
        {
            let mut with = Command::new(binary);
            environment.give(&mut with);
            with.env("CARGO_MANIFEST_PATH", &artifact.manifest_path);
            let directory = artifact.manifest_path.parent();
            if let Some(folder) = directory {
                with.env("CARGO_MANIFEST_DIR", folder);
            }
            let packages = environment.metadata.iter().flat_map(|m| &m.packages);
            let mut named = packages.filter(|package| package.id == artifact.package_id);
            let package = named.next().map(|package| package.name.to_string());
            if let Some(package) = &package {
                with.env("CARGO_PKG_NAME", package);
            }
            let variables = with.get_envs();
            let variables = variables.filter_map(|(k, v)| Some((k.to_owned(), v?.to_owned())));
            targets.push(Target {
                binary: binary.clone().into(),
                variables: Arc::new(variables.collect()),
                directory: directory.map(|folder| folder.to_owned().into()),
                package: package.unwrap_or_default(),
                libraries: Arc::default(),
                option: TestTarget::of(&artifact.target),
            });
            packages_of_targets.push(artifact.package_id);
        }
    }
    let status = running.wait().context("cannot wait for cargo")?;
    if !status.success() {
        bail!("the tests could not be built");
    }
    let uses = built.uses(environment);
    for (target, package) in targets.iter_mut().zip(&packages_of_targets) {
        target.libraries = Arc::new(built.of(package, &uses));
    }
    targets.sort_by(|a, b| (&a.package, &a.option).cmp(&(&b.package, &b.option)));
    Ok(targets)
}

/// What explores is optimised, whatever the test is.
fn optimised() -> impl Iterator<Item = String> {
    let packages = [
        "commute-compose",
        "commute-explore",
        "commute-model",
        "commute-spec",
        "corosensei",
        "hashbrown",
        "indexmap",
        "rustc-hash",
        "smallvec",
    ];
    packages.into_iter().flat_map(|package| {
        let option = format!("profile.dev.package.{package}.opt-level=3");
        ["--config".to_owned(), option]
    })
}

/// The tests of ours in them that are wanted.
///
/// # Errors
/// If a binary does not list its tests.
pub(super) fn list(targets: &[Target], wants: impl Fn(&str) -> bool) -> Result<Vec<Found>> {
    let mut found = Vec::new();
    for target in targets {
        let ignored = names(target, &["--ignored"])?;
        let all = names(target, &[])?.into_iter();
        found.extend(all.filter(|name| wants(name)).map(|name| Found {
            is_ignored: ignored.contains(&name),
            name,
            target: target.clone(),
        }));
    }
    Ok(found)
}

/// What a binary lists of ours.
fn names(target: &Target, which: &[&str]) -> Result<Vec<String>> {
    let mut command = target.command();
    command
        .args(["--list", "--format", "terse"])
        .args(which)
        .stdin(Stdio::null());
    let name = target.binary.display();
    let listed = command.output();
    let listed = listed.with_context(|| format!("cannot run {name}"))?;
    // One with a harness of its own may not know how to, and has none of ours.
    let text = String::from_utf8_lossy(&listed.stdout);
    let tests = text.lines().filter_map(|line| line.strip_suffix(": test"));
    let ours = tests.filter_map(|name| name.strip_suffix(SUFFIX));
    Ok(ours.map(str::to_owned).collect())
}
