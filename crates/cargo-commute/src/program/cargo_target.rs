//! A target of a cargo project: built, and found.

use std::ffi::OsString;
use std::io::BufReader;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Artifact, Message, Metadata, TargetKind};

use super::environment::Environment;
use crate::cargo_project::option_word;
use crate::cli::{CargoArgs, ProgramArgs};

/// Targets that were built.
pub(super) struct Built {
    /// How to run them, one after the other.
    pub commands: Vec<Command>,
    /// The targets.
    pub chosen: Vec<Artifact>,
    /// The libraries that were built for them, or were there already.
    pub libraries: Vec<Artifact>,
}

/// Builds the targets of the command line.
///
/// # Errors
/// If there is not exactly one to run, or cargo fails, which has then said why.
pub(super) fn build(args: &ProgramArgs, environment: &Environment, quiet: bool) -> Result<Built> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments(&args.cargo));
    command.args(quiet.then_some("--quiet"));
    environment.give(&mut command);
    let mut cargo = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run cargo")?;
    let (mut built, mut libraries) = (Vec::new(), Vec::new());
    let messages = cargo.stdout.take().context("cargo has no output")?;
    for message in Message::parse_stream(BufReader::new(messages)) {
        let Message::CompilerArtifact(artifact) = message.context("cannot read from cargo")? else {
            continue;
        };
        if artifact.executable.is_some() && is_wanted(&artifact, &args.cargo) {
            built.push(artifact);
        } else if is_library(&artifact) {
            libraries.push(artifact);
        }
    }
    let status = cargo.wait().context("cannot wait for cargo")?;
    if !status.success() {
        bail!("the program could not be built");
    }
    // They come as they are ready; they run as they were named.
    let place = |artifact: &Artifact| {
        let name = &artifact.target.name;
        let place = args.cargo.test.iter().position(|test| test == name);
        (place, name.clone())
    };
    built.sort_by_key(place);
    let chosen = match args.cargo.test.is_empty() {
        true => vec![only(built, environment.metadata.as_ref())?],
        false => built,
    };
    let commands = chosen.iter();
    Ok(Built {
        commands: commands
            .map(|artifact| executable(artifact, args, environment))
            .collect(),
        chosen,
        libraries,
    })
}

fn arguments(args: &CargoArgs) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    match args.test.is_empty() {
        true => words.push("build".into()),
        false => words.extend(["test".into(), "--no-run".into()]),
    }
    words.extend(of_chosen_targets(args));
    let any = args.bin.is_none() && args.example.is_none() && args.test.is_empty();
    words.extend(any.then_some("--bins".into()));
    words.extend(of_every_target(args));
    words
}

/// The words that say which targets are built.
pub(super) fn of_chosen_targets(args: &CargoArgs) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut option = |name: &str, value: &str| words.push(option_word(name, value));
    { args.bin.iter() }.for_each(|name| option("--bin", name));
    { args.example.iter() }.for_each(|name| option("--example", name));
    { args.test.iter() }.for_each(|name| option("--test", name));
    words
}

/// What does not say which targets are built.
pub(super) fn of_every_target(args: &CargoArgs) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["--message-format=json-render-diagnostics".into()];
    let mut option = |name: &str, value: &str| words.push(option_word(name, value));
    { args.package.iter() }.for_each(|name| option("--package", name));
    { args.profile.iter() }.for_each(|name| option("--profile", name));
    { args.features.features.iter() }.for_each(|names| option("--features", names));
    if let Some(path) = &args.manifest.manifest_path {
        words.push(option_word("--manifest-path", path));
    }
    let switches = [
        (args.features.all_features, "--all-features"),
        (args.features.no_default_features, "--no-default-features"),
        (args.release, "--release"),
        (args.locked, "--locked"),
        (args.offline, "--offline"),
    ];
    let given = switches.iter().filter(|(given, _)| *given);
    words.extend(given.map(|(_, name)| name.into()));
    words
}

/// Whether it is a target of the command line, and not one that it needs.
fn is_wanted(artifact: &Artifact, args: &CargoArgs) -> bool {
    let kind = match (&args.example, args.test.is_empty()) {
        (_, false) => TargetKind::Test,
        (Some(_), true) => TargetKind::Example,
        (None, true) => TargetKind::Bin,
    };
    artifact.target.kind.contains(&kind)
}

/// Whether it is part of a program: no procedural macro or build script.
fn is_library(artifact: &Artifact) -> bool {
    let kinds = [TargetKind::CustomBuild, TargetKind::ProcMacro];
    let none = !artifact.target.kind.iter().any(|kind| kinds.contains(kind));
    artifact.executable.is_none() && none
}

/// The one to run: that of which there is only one, or the default of its
/// package.
fn only(built: Vec<Artifact>, metadata: Option<&Metadata>) -> Result<Artifact> {
    let names: Vec<_> = { built.iter() }
        .map(|artifact| format!("`{}`", artifact.target.name))
        .collect();
    let single = built.len() == 1;
    let is_default = |artifact: &Artifact| {
        let mut packages = metadata.iter().flat_map(|metadata| &metadata.packages);
        packages.any(|package| {
            let default = package.default_run.as_deref();
            package.id == artifact.package_id && default == Some(&artifact.target.name)
        })
    };
    let mut chosen = built
        .into_iter()
        .filter(|artifact| single || is_default(artifact));
    match (chosen.next(), chosen.next()) {
        (Some(artifact), None) => Ok(artifact),
        _ if names.is_empty() => {
            bail!("there is no binary here; `--example` and `--test` run something else")
        }
        _ => bail!(
            "there are several binaries; choose one by `--bin`: {}",
            names.join(", ")
        ),
    }
}

/// The command that runs it as cargo would.
fn executable(artifact: &Artifact, args: &ProgramArgs, environment: &Environment) -> Command {
    let file = artifact.executable.clone().unwrap_or_default();
    let mut command = Command::new(file);
    command.args(&args.command);
    environment.give(&mut command);
    command.env("CARGO_MANIFEST_PATH", &artifact.manifest_path);
    if let Some(folder) = artifact.manifest_path.parent() {
        command.env("CARGO_MANIFEST_DIR", folder);
        if !args.cargo.test.is_empty() {
            command.current_dir(folder);
        }
    }
    let packages = environment.metadata.iter().flat_map(|m| &m.packages);
    for package in packages.filter(|package| package.id == artifact.package_id) {
        command.env("CARGO_PKG_NAME", package.name.as_str());
        command.env("CARGO_PKG_VERSION", package.version.to_string());
    }
    command
}
