//! The specifications of a run: the shipped ones, those of `--spec`, and those of the
//! package in whose folder we are.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;
use commute_model::Severity;
use commute_report::diagnostic::{self, Source};
use commute_report::{clip, visible_lines};
use commute_spec::{Library, closest, parse};

use crate::cli::MessageFormat;
use crate::config;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::shell_word::shell_word;

/// A longer specification file is refused.
const LONGEST: u64 = 16 << 20;

/// Beside the manifest of a package.
const FOLDER: &str = "specs";

/// The shipped specifications and those of these files and directories, and for types
/// that are in none of them those of the package.
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
            let source = Source::new(&name, &text);
            match output.format {
                _ if shown.is_empty() => {}
                MessageFormat::Json | MessageFormat::Github => output.diagnostics(&shown, &source),
                _ => output.stderr(&diagnostic::human(&shown, &source, &output.error_style)),
            }
            if shown.iter().any(|shown| shown.severity == Severity::Error) {
                let message = format!("{name} is not a usable specification");
                return Err(Refusal::new(&name, message).into());
            }
            if parsed.specifications.is_empty() {
                let message = format!("{name} contains no type");
                return Err(Refusal::new(&name, message).into());
            }
            for specification in parsed.specifications {
                library.insert(specification);
            }
        }
    }
    if let Ok(here) = std::env::current_dir() {
        add_package(&here, &mut library, output);
    }
    Ok(library)
}

/// Adds specifications of the package to which this directory belongs, and of
/// those around it; in a repository, of those inside of it. The command line does not name
/// them, so a specification that is not usable is left out, and none hides another. A file
/// has the name of its type, as `#[commute::object]` wants it.
fn add_package(directory: &Path, library: &mut Library, output: &mut Output) {
    let root = config::repository(directory);
    let is_inside = |directory: &&Path| root.is_none_or(|root| directory.starts_with(root));
    let packages = directory.ancestors().take_while(is_inside);
    let packages = packages.filter(|directory| directory.join("Cargo.toml").is_file());
    for file in packages.flat_map(|package| ecl_files(&package.join(FOLDER)).unwrap_or_default()) {
        let name = file.file_stem().and_then(|stem| stem.to_str());
        if name.is_none_or(|name| library.specification(name).is_some()) {
            continue;
        }
        // A specification decides which operations are findings.
        let remedy = format!("`--spec {}` uses it", shell_word(&file));
        if let Err(error) = config::open_own(&file, &remedy) {
            let problem = format!("{error:#}");
            output.note(&format!("note: {}", visible_lines(&problem)));
            continue;
        }
        let parsed = read(&file).ok().map(|text| parse(&text));
        let parsed = parsed.filter(|parsed| {
            let mut diagnostics = parsed.diagnostics.iter();
            !parsed.specifications.is_empty()
                && diagnostics.all(|diagnostic| diagnostic.severity != Severity::Error)
        });
        let Some(parsed) = parsed else {
            let file = file.display().to_string();
            let file = clip(&file, 400);
            let help = "`commute spec check` says why";
            output.note(&format!(
                "note: {file} is not a usable specification: {help}"
            ));
            continue;
        };
        for specification in parsed.specifications {
            if library.specification(&specification.name).is_none() {
                library.insert(specification);
            }
        }
    }
}

/// The text of a specification file.
pub(crate) fn read(path: &Path) -> Result<String, Refusal> {
    let name = path.display().to_string();
    let unreadable = |error| Refusal::unreadable(path, &error).help(similar(path));
    let length = std::fs::metadata(path).map_err(unreadable)?.len();
    if length > LONGEST {
        let message = format!("{name} is too long for a specification ({length} bytes)");
        return Err(Refusal::new(&name, message));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..at]).into_owned();
        let position = commute_model::Position::of(&before, at);
        Refusal::new(&name, format!("{name}:{position}: not valid UTF-8"))
    })
}

/// Advice if a file that does not exist has nearly the name of one that does.
fn similar(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let directory = match path.parent()? {
        parent if parent.as_os_str().is_empty() => Path::new("."),
        parent => parent,
    };
    let files = ecl_files(directory).ok().filter(|_| !path.exists())?;
    let names = files.iter().filter_map(|file| file.file_name()?.to_str());
    let close = closest(wanted, names)?;
    Some(format!(
        "did you mean `{}`?",
        path.with_file_name(close).display()
    ))
}

/// The file itself, or the `.ecl` files of a directory, sorted.
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>, Refusal> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let files = ecl_files(path).map_err(|error| Refusal::unreadable(path, &error))?;
    if files.is_empty() {
        let name = path.display().to_string();
        let message = format!("there is no .ecl file in {name}");
        return Err(Refusal::new(&name, message));
    }
    Ok(files)
}

fn ecl_files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let file = entry?.path();
        if file.extension().is_some_and(|ending| ending == "ecl") && !file.is_dir() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
