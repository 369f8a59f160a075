//! Building the stand-ins.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Artifact, Message};

use super::Request;
use crate::cargo_project::option_word;

/// All of them, always: what they share is then the same for every choice.
const PACKAGES: [&str; 2] = ["commute-std", "commute-dashmap"];

/// The variable that names a folder for them, for those who have several programs.
const FOLDER: &str = "COMMUTE_STAND_INS";

/// What was built.
pub(super) struct StandIns {
    /// The library of each crate of ours, by the name that Rust has for it.
    pub libraries: BTreeMap<String, PathBuf>,
    /// Where they and all that they depend on are.
    pub directories: Vec<PathBuf>,
}

impl StandIns {
    /// Builds them with the compiler and the flags of the program: libraries of
    /// another compiler could not be used.
    ///
    /// # Errors
    /// If there is no source code, or cargo fails, which has then said why.
    pub(super) fn build(request: &Request<'_>) -> Result<StandIns> {
        let library = source_code(request.args.library.as_deref())?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        let folder = match std::env::var_os(FOLDER) {
            Some(folder) => std::path::absolute(folder)?,
            None => request.folder.join("stand-ins"),
        };
        // The program may be built without optimisation. What it costs to be watched
        // is another matter.
        command.args(["build", "--release", "--locked"]);
        command.args(["--message-format", "json-render-diagnostics"]);
        command.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
        command.args(["--target", &request.toolchain.target]);
        command.arg(option_word("--manifest-path", library.join("Cargo.toml")));
        command.arg("--target-dir").arg(&folder);
        command.args(request.cargo.offline.then_some("--offline"));
        command.args(request.quiet.then_some("--quiet"));
        command.env("CARGO_BUILD_BUILD_DIR", &folder);
        command.env("CARGO_PROFILE_RELEASE_LTO", "false");
        let rustflags = request.toolchain.rustflags.encode()?;
        command.env("CARGO_ENCODED_RUSTFLAGS", rustflags);
        let mut cargo = { command.stdin(Stdio::null()).stdout(Stdio::piped()) }
            .spawn()
            .context("cannot run cargo")?;
        let mut stand_ins = StandIns {
            libraries: BTreeMap::new(),
            directories: Vec::new(),
        };
        let mut directories = BTreeSet::new();
        let messages = cargo.stdout.take().context("cargo has no output")?;
        for message in Message::parse_stream(BufReader::new(messages)) {
            if let Message::CompilerArtifact(artifact) =
                message.context("cannot read from cargo")?
            {
                stand_ins.take(&artifact, &mut directories);
            }
        }
        if !cargo.wait().context("cannot wait for cargo")?.success() {
            bail!("the stand-ins for `--swap` could not be built");
        }
        stand_ins.directories = directories.into_iter().collect();
        Ok(stand_ins)
    }

    fn take(&mut self, artifact: &Artifact, directories: &mut BTreeSet<PathBuf>) {
        for file in &artifact.filenames {
            let folder = file.parent().filter(|folder| folder.ends_with("deps"));
            directories.extend(folder.map(|folder| folder.to_owned().into()));
            // Of those that were asked for, there is a copy elsewhere; the library
            // is beside its metadata.
            if file.extension() == Some("rmeta") {
                let library = file.with_extension("rlib").into();
                let name = artifact.target.name.replace('-', "_");
                self.libraries.insert(name, library);
            }
        }
    }
}

/// Where the source code of `commute` is: as the user says, or what we were built
/// from, if it is still there.
fn source_code(given: Option<&Path>) -> Result<PathBuf> {
    let has_it = |folder: &&Path| {
        let manifests = PACKAGES.map(|package| folder.join("crates").join(package));
        { manifests.iter() }.all(|package| package.join("Cargo.toml").exists())
    };
    if let Some(given) = given {
        let Some(found) = Some(given).filter(has_it) else {
            bail!(
                "there is no source code of commute in {} (--library): it has a folder `crates/{}`",
                given.display(),
                PACKAGES[0],
            );
        };
        return Ok(found.to_owned());
    }
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let Some(found) = ours.filter(has_it) else {
        bail!(
            "`--swap` needs the source code of commute, and what this program was built from is gone: say where it is by `--library PATH`"
        );
    };
    Ok(found.to_owned())
}
