//! The specifications of a run: the shipped ones and those of `--spec`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use commute_model::Severity;
use commute_report::diagnostic::{self, Source};
use commute_spec::{Library, parse};

use crate::output::Output;

/// A longer specification file is refused.
const LONGEST: u64 = 16 << 20;

/// The shipped specifications and those of these files and directories.
///
/// # Errors
/// If a file cannot be read or has errors; these are printed.
pub(crate) fn load(paths: &[PathBuf], output: &mut Output) -> Result<Library> {
    let mut library = Library::shipped();
    for path in paths {
        for file in files(path)? {
            let text = read(&file)?;
            let parsed = parse(&text);
            let name = file.display().to_string();
            let shown: Vec<_> = parsed
                .diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity != Severity::Note)
                .cloned()
                .collect();
            if !shown.is_empty() {
                let source = Source::new(&name, &text);
                output.stderr(&diagnostic::human(&shown, &source, &output.style));
            }
            if shown.iter().any(|shown| shown.severity == Severity::Error) {
                bail!("{name} is not a usable specification");
            }
            if parsed.specifications.is_empty() {
                bail!("{name} contains no type");
            }
            for specification in parsed.specifications {
                library.insert(specification);
            }
        }
    }
    Ok(library)
}

/// The text of a specification file.
pub(crate) fn read(path: &Path) -> Result<String> {
    let name = path.display();
    let metadata = std::fs::metadata(path).with_context(|| format!("cannot read {name}"))?;
    if metadata.len() > LONGEST {
        bail!(
            "{name} is too long for a specification ({} bytes)",
            metadata.len()
        );
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(&error.as_bytes()[..at]).into_owned();
            let position = commute_model::Position::of(&before, at);
            bail!("{name}:{position}: not valid UTF-8")
        }
    }
}

/// The file itself, or the `.ecl` files of a directory, sorted.
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let name = path.display();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).with_context(|| format!("cannot read {name}"))? {
        let file = entry.with_context(|| format!("cannot read {name}"))?.path();
        if file.extension().is_some_and(|ending| ending == "ecl") {
            files.push(file);
        }
    }
    if files.is_empty() {
        bail!("there is no .ecl file in {name}");
    }
    files.sort();
    Ok(files)
}
