//! Programs, from what the command line names.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use commute_lint::ir::{self, Gap};
use commute_report::Sources;

use super::front_end::{self, CrateInfo};
use super::unit::Unit;
use crate::cli::Shared;
use crate::progress::Phase;
use crate::sources::FileSources;

/// The program that these crates are. What is missing is a gap in it.
///
/// # Errors
/// If MIR cannot be read.
pub(super) fn of_project(
    units: &[(Unit, PathBuf)],
    sources: &FileSources,
    quiet: bool,
) -> Result<ir::Program> {
    let _phase = Phase::new("reading MIR", quiet);
    let mut crates = Vec::new();
    let mut gaps = Vec::new();
    for (unit, mir) in units {
        let gap = |what: String| Gap {
            place: format!("crate `{}`", unit.name),
            what,
        };
        if let Some(failure) = &unit.failure {
            let rustc = &unit.rustc;
            gaps.push(gap(format!("not looked at: {failure} ({rustc})")));
            continue;
        }
        let text = String::from_utf8_lossy(&read_bytes(mir)?).into_owned();
        let mir = front_end::read(&text);
        if let Some(unknown) = mir.nonsense() {
            let rustc = &unit.rustc;
            let place = format!("line {}, column {}", unknown.line, unknown.column);
            let expected = unknown.expected.trim();
            gaps.push(gap(format!(
                "not looked at: its MIR is not understood, {place}: expected {expected} ({rustc})"
            )));
            continue;
        }
        let info = CrateInfo {
            name: unit.name.clone(),
            root: unit.package.display().to_string(),
            edition: unit.edition.clone(),
            library: unit.is_library(),
        };
        crates.push((info, mir));
    }
    let source = |file: &str| sources.text(file).map(|text| text.to_string());
    let mut program = front_end::rust(crates, &source);
    program.gaps.splice(0..0, gaps);
    Ok(program)
}

/// The program of MIR that somebody has printed.
///
/// # Errors
/// If it cannot be read, or is none, or nothing of it is understood.
pub(super) fn of_mir(files: &[PathBuf], shared: &Shared) -> Result<(ir::Program, FileSources)> {
    let mut crates = Vec::new();
    let mut nonsense = Vec::new();
    for file in files {
        let name = file.display();
        let text = read_bytes(file)?;
        let text = String::from_utf8_lossy(&text);
        if text.trim().is_empty() {
            bail!("{name} is empty");
        }
        let mir = front_end::read(&text);
        let begins = |word| text.lines().any(|line: &str| line.starts_with(word));
        if mir.bodies.is_empty()
            && !["fn ", "const ", "static ", "// WARNING: This output format"]
                .into_iter()
                .any(begins)
        {
            bail!("{name} is no MIR: `rustc -Zunpretty=mir` and `rustc --emit=mir` print it");
        }
        if let Some(unknown) = mir.nonsense() {
            let (line, column) = (unknown.line, unknown.column);
            let expected = unknown.expected.trim();
            nonsense.push(format!("{name}:{line}:{column}: expected {expected}"));
        }
        let stem = file.file_stem().unwrap_or_default();
        let info = CrateInfo {
            name: stem.to_string_lossy().into_owned(),
            root: String::new(),
            edition: "2024".to_owned(),
            library: true,
        };
        crates.push((info, mir));
    }
    if let Some(first) = nonsense.first()
        && nonsense.len() == files.len()
    {
        bail!(
            "{first}\nno function was understood: the file is cut off, or another release of the compiler has printed it"
        );
    }
    let sources = FileSources::of(&files[0], shared);
    let source = |file: &str| sources.text(file).map(|text| text.to_string());
    let program = front_end::rust(crates, &source);
    Ok((program, sources))
}

/// The program of class files.
///
/// # Errors
/// If there are none that can be read.
pub(super) fn of_classes(paths: &[PathBuf], shared: &Shared) -> Result<(ir::Program, FileSources)> {
    let _phase = Phase::new("reading class files", shared.quiet);
    let program = front_end::java(paths)?;
    let sources = FileSources::of_classes(source_roots(paths), &beside(paths), shared);
    Ok((program, sources))
}

/// Where build tools put sources, from a directory above the classes.
const SOURCE_FOLDERS: [&str; 5] = ["", "src", "src/main/java", "src/test/java", "java"];

/// How far above the classes sources are looked for: packages are nested.
const ABOVE: usize = 12;

/// The directories that sources of class files may be in: here, beside them,
/// and where build tools put them.
fn source_roots(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut roots = vec![PathBuf::new()];
    for path in paths {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        for above in path.ancestors().take(ABOVE) {
            let folders = SOURCE_FOLDERS.iter().map(|folder| above.join(folder));
            let folders = folders.filter(|folder| folder.is_dir() && !roots.contains(folder));
            let folders: Vec<PathBuf> = folders.collect();
            roots.extend(folders);
        }
    }
    roots
}

/// The directories whose files may be shown: those of the classes, those that they are in,
/// and those in which build tools put sources.
fn beside(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    for path in paths {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        directories.extend(path.ancestors().take(2).map(Path::to_owned));
        for above in path.ancestors().take(ABOVE) {
            let folders = SOURCE_FOLDERS.iter().filter(|folder| !folder.is_empty());
            directories.extend(folders.map(|folder| above.join(folder)));
        }
    }
    directories
}

/// # Errors
/// If it cannot be read.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
