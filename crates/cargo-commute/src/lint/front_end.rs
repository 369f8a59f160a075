//! From what compilers print to what is analysed: the calls of the front ends, all of
//! them.

use std::path::PathBuf;

use anyhow::{Result, bail};
use commute_lint::ir::{self, Gap};
use commute_lint::java;
use commute_lint::rust::mir::parse::parse;
use commute_lint::rust::mir::syntax::Mir;

pub(super) use commute_lint::rust::CrateInfo;

/// Reads the MIR of a crate.
pub(super) fn read(text: &str) -> Mir {
    parse(text)
}

/// The program that these crates are.
pub(super) fn rust(
    crates: Vec<(CrateInfo, Mir)>,
    sources: &dyn Fn(&str) -> Option<String>,
) -> ir::Program {
    commute_lint::rust::program(crates, sources)
}

/// The program that these class files are.
///
/// # Errors
/// If none of them can be read.
pub(super) fn java(paths: &[PathBuf]) -> Result<ir::Program> {
    let classes = java::archive::read(paths);
    if let Some(refused) = classes.refused {
        let Gap { place, what } = refused;
        bail!("refusing to look at {place}: {what}; name fewer jars or folders at a time");
    }
    if classes.inputs.is_empty() {
        match classes.problems.first() {
            Some(problem) => bail!("cannot look at {}: {}", problem.place, problem.what),
            None => bail!("there are no class files"),
        }
    }
    let mut program = java::program(&classes.inputs);
    let problem = |name: &str| program.gaps.iter().find(|gap| gap.place == name);
    if program.functions.is_empty()
        && classes
            .inputs
            .iter()
            .all(|input| problem(&input.name).is_some())
        && let Some(problem) = program.gaps.first()
    {
        bail!("cannot look at {}: {}", problem.place, problem.what);
    }
    program.gaps.extend(classes.problems);
    Ok(program)
}
