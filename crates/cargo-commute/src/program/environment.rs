//! What cargo and the program find in their environment.
//!
//! `--cfg commute` makes the library record. It has to reach rustc next to the
//! flags that the user has, wherever they come from, since the variable that
//! carries it hides all other sources. What is built that way goes to a target
//! directory of its own, so that ordinary builds stay as they are.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use cargo_config2::{Config, Flags};
use cargo_metadata::{Metadata, MetadataCommand};

use crate::cli::ProgramArgs;

/// The folder below the user's target directory.
const FOLDER: &str = "commute";
/// What makes the library record.
const CFG: [&str; 2] = ["--cfg", "commute"];

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
    pub(super) fn find(args: &ProgramArgs) -> Result<Environment> {
        let builds = args.builds();
        let manifest = match builds {
            true => args.cargo.manifest.manifest_path.as_deref(),
            false => manifest_path(&args.command),
        };
        let (flags, metadata) = match (flags(), metadata(manifest)) {
            (_, Err(error)) if args.is_empty() => {
                return Err(error.context("there is neither a command (`-- CMD`) nor a package"));
            }
            (flags, metadata) if builds => (Some(flags?), Some(metadata?)),
            (flags, metadata) => (flags.ok(), metadata.ok()),
        };
        let mut variables = Vec::new();
        if let Some((rustflags, rustdocflags)) = flags {
            variables.push(("CARGO_ENCODED_RUSTFLAGS", rustflags.into()));
            variables.push(("CARGO_ENCODED_RUSTDOCFLAGS", rustdocflags.into()));
        }
        if let Some(metadata) = &metadata {
            let folder = metadata.target_directory.join(FOLDER).into_os_string();
            variables.push(("CARGO_TARGET_DIR", folder.clone()));
            variables.push(("CARGO_BUILD_BUILD_DIR", folder));
        }
        Ok(Environment {
            variables,
            metadata,
        })
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

/// The project here, or of this manifest. Nothing is resolved, so that no file
/// is written.
fn metadata(manifest: Option<&Path>) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    if let Some(manifest) = manifest {
        command.manifest_path(manifest);
    }
    let metadata = command.no_deps().exec();
    metadata.map_err(|error| match error {
        // It says all there is to say, after a word of its own.
        cargo_metadata::Error::CargoMetadata { stderr } => {
            let text = stderr.trim();
            anyhow::anyhow!(
                "{}",
                text.strip_prefix("error: ").unwrap_or(text).to_owned()
            )
        }
        error => anyhow::Error::new(error).context("cannot ask cargo about the project"),
    })
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

/// The user's flags for rustc and rustdoc, and ours, as cargo wants them.
fn flags() -> Result<(String, String)> {
    let unknown = "cannot tell which flags rustc gets";
    let config = Config::load().context(unknown)?;
    let targets = config.build_target_for_config(None::<&str>);
    let target = targets.context(unknown)?.into_iter().next();
    let target = target.context(unknown)?;
    let rustflags = config.rustflags(&target).context(unknown)?;
    let rustdocflags = config.rustdocflags(&target).context(unknown)?;
    let rustflags = with_cfg(rustflags).encode().context(unknown)?;
    let rustdocflags = with_cfg(rustdocflags).encode().context(unknown)?;
    Ok((rustflags, rustdocflags))
}

fn with_cfg(flags: Option<Flags>) -> Flags {
    let mut flags = flags.unwrap_or_default();
    if !flags.flags.windows(2).any(|pair| pair == CFG) {
        flags.flags.extend(CFG.map(str::to_owned));
    }
    flags
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

    #[test]
    fn flags_are_kept_and_ours_comes_once() {
        let flags = with_cfg(Some(Flags::from_space_separated("-C opt-level=1")));
        assert_eq!(flags.flags, ["-C", "opt-level=1", "--cfg", "commute"]);
        assert_eq!(with_cfg(Some(flags.clone())), flags);
        assert_eq!(with_cfg(None).flags, CFG);
    }
}
