//! From what compilers print to what is analysed: the calls of the front ends, all of
//! them.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use commute_lint::ir;
use commute_lint::rust::mir::syntax::Mir;

/// What a front end is told of a crate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CrateInfo {
    pub name: String,
    /// The folder of its package.
    pub root: String,
    pub edition: String,
    /// Whether others can use it.
    pub library: bool,
}

/// Reads the MIR of a crate.
pub(super) fn read(text: &str) -> Mir {
    // PLACEHOLDER: commute_lint::rust::mir::parse(text)
    let _ = text;
    Mir::default()
}

/// The program that these crates are.
pub(super) fn rust(
    crates: Vec<(CrateInfo, Mir)>,
    sources: &dyn Fn(&str) -> Option<String>,
) -> ir::Program {
    // PLACEHOLDER: commute_lint::rust::program(crates, sources)
    let _ = sources;
    let mut program = ir::Program::default();
    for (info, _) in crates {
        program.gaps.push(ir::Gap {
            place: info.name,
            what: "MIR is not understood yet".to_owned(),
        });
    }
    program
}

/// The program that these class files are.
///
/// # Errors
/// If none of them can be read.
pub(super) fn java(paths: &[PathBuf]) -> Result<ir::Program> {
    // PLACEHOLDER: commute_lint::java
    let name = paths.first().map(PathBuf::as_path).unwrap_or(Path::new(""));
    bail!(
        "cannot look at {}: the front end for Java is not built",
        name.display()
    )
}
