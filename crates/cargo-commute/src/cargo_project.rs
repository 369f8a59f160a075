//! What cargo knows of a project.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use anyhow::{Result, anyhow};
use cargo_metadata::{Metadata, MetadataCommand};

/// The project of this manifest, or of this directory, or the one here. Nothing is
/// resolved, so that no file is written.
///
/// # Errors
/// If there is no cargo or no project, or cargo does not understand it.
pub(crate) fn metadata(manifest: Option<&Path>, directory: Option<&Path>) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    if let Some(manifest) = manifest {
        command.manifest_path(manifest);
    }
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    let metadata = command.no_deps().exec();
    metadata.map_err(|error| match error {
        // It says all there is to say, after a word of its own.
        cargo_metadata::Error::CargoMetadata { stderr } => {
            let text = stderr.trim();
            anyhow!(
                "{}",
                text.strip_prefix("error: ").unwrap_or(text).to_owned()
            )
        }
        cargo_metadata::Error::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
            anyhow!("cannot run cargo: is Rust installed, and cargo in the PATH?")
        }
        error => anyhow::Error::new(error).context("cannot ask cargo about the project"),
    })
}

/// An option of cargo with its value, as one word. As a word of its own, a value that begins
/// with `-` would be an option: `--bin` takes no value if one follows.
pub(crate) fn option_word(name: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut word = OsString::from(name);
    word.push("=");
    word.push(value);
    word
}
