//! What cargo and the program find in their environment.
//!
//! `--cfg commute` makes the library record. It has to reach rustc next to the
//! flags that the user has, wherever they come from, since the variable that
//! carries it hides all other sources. What is built that way goes to a target
//! directory of its own, so that ordinary builds stay as they are.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};
use cargo_metadata::Metadata;

use super::swap;
use super::toolchain::Toolchain;
use crate::cargo_project::metadata;
use crate::cli::ProgramArgs;

/// The folder below the user's target directory.
const FOLDER: &str = "commute";

/// What a command may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Runs {
    /// A target of a package, or any command (`-- CMD`).
    Anything,
    /// Tests of a package.
    Tests,
}

impl Runs {
    /// The error that there is no package here, and nothing else was asked for.
    fn without_package(self) -> &'static str {
        match self {
            Runs::Anything => "there is neither a command (`-- CMD`) nor a package",
            Runs::Tests => "there is no package here whose tests could be run (--manifest-path)",
        }
    }
}

/// Variables for cargo, and for programs that may call it.
pub(super) struct Environment {
    variables: Vec<(&'static str, OsString)>,
    /// What is known of the project, if there is one.
    pub metadata: Option<Metadata>,
}

impl Environment {
    /// The environment here.
    ///
    /// # Errors
    /// If something is to be built, and cargo does not understand the project. A
    /// program that was built before needs neither.
    pub(super) fn find(args: &ProgramArgs, runs: Runs, quiet: bool) -> Result<Environment> {
        if args.swap.is_given() && args.swap.crates.is_empty() {
            bail!("`--library` says what `--swap` builds with, and there is no `--swap`");
        }
        let builds = args.builds();
        let manifest = match builds {
            true => args.cargo.manifest.manifest_path.as_deref(),
            false => manifest_path(&args.command),
        };
        let needed = builds || !args.swap.crates.is_empty();
        let (toolchain, metadata) = match (Toolchain::find(), metadata(manifest, None)) {
            (_, Err(error)) if args.is_empty() => {
                return Err(error.context(runs.without_package()));
            }
            (toolchain, metadata) if needed => (Some(toolchain?), Some(metadata?)),
            (toolchain, metadata) => (toolchain.ok(), metadata.ok()),
        };
        let folder = { metadata.as_ref() }.map(|metadata| metadata.target_directory.join(FOLDER));
        let mut environment = Environment {
            variables: Vec::new(),
            metadata,
        };
        if let Some(toolchain) = &toolchain {
            environment.set("CARGO_ENCODED_RUSTFLAGS", toolchain.rustflags.encode()?);
            let rustdocflags = toolchain.rustdocflags.encode()?;
            environment.set("CARGO_ENCODED_RUSTDOCFLAGS", rustdocflags);
        }
        if let Some(folder) = &folder {
            environment.set_target_directory(folder.as_std_path());
        }
        if let (false, Some(toolchain), Some(folder)) =
            (args.swap.crates.is_empty(), &toolchain, &folder)
        {
            let swap = swap::Request {
                args: &args.swap,
                cargo: &args.cargo,
                toolchain,
                folder: folder.as_std_path(),
                quiet,
            };
            swap.prepare(&mut environment)?;
        }
        Ok(environment)
    }

    /// Sets a variable, once more if it has to be.
    pub(super) fn set(&mut self, name: &'static str, value: impl Into<OsString>) {
        self.variables.push((name, value.into()));
    }

    /// Where cargo puts everything.
    pub(super) fn set_target_directory(&mut self, folder: &Path) {
        self.set("CARGO_TARGET_DIR", folder);
        self.set("CARGO_BUILD_BUILD_DIR", folder);
    }

    /// Sets the variables for a command.
    pub(super) fn give(&self, command: &mut Command) {
        command.envs(self.variables.iter().cloned());
    }

    /// Where locations in the source code start from.
    pub(super) fn workspace_root(&self) -> Option<PathBuf> {
        let metadata = self.metadata.as_ref()?;
        Some(metadata.workspace_root.clone().into())
    }
}

/// The manifest that a command names.
fn manifest_path(command: &[OsString]) -> Option<&Path> {
    let mut words = command.iter().map(OsString::as_os_str);
    while let Some(word) = words.next() {
        if word == "--manifest-path" {
            return words.next().map(Path::new);
        }
        let value = word
            .to_str()
            .and_then(|w| w.strip_prefix("--manifest-path="));
        if let Some(value) = value {
            return Some(Path::new(value));
        }
        if word == OsStr::new("--") {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_of_a_command_is_known() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let of = |text: &str| manifest_path(&words(text)).map(Path::to_owned);
        assert_eq!(
            of("cargo test --manifest-path a/Cargo.toml"),
            Some("a/Cargo.toml".into())
        );
        assert_eq!(
            of("cargo test --manifest-path=b.toml"),
            Some("b.toml".into())
        );
        assert_eq!(of("cargo run -- --manifest-path x"), None);
        assert_eq!(of("./server"), None);
    }
}
