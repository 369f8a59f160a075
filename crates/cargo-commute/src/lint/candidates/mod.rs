//! `commute lint --candidates`: methods that perform several operations on one collection,
//! and tests for them.

mod call;
mod generics;
mod print;
mod test;
mod types;

use std::path::PathBuf;

use anyhow::{Result, bail};
use commute_lint::candidates::{Candidate, candidates};
use commute_lint::ir::Program;
use commute_report::json;
use serde::Serialize;

use super::code;
use super::extract::Place;
use super::input::{self, Input};
use super::show::{is_other, some};
use crate::cli::{LintArgs, MessageFormat, Shared};
use crate::exit::Exit;
use crate::output::{Output, count};
use crate::progress::Phase;
use crate::sources::FileSources;

/// A program that is looked at.
struct Subject {
    program: Program,
    sources: FileSources,
    /// How many crates, jars or classes it has.
    crates: usize,
    root: PathBuf,
    /// Folders of packages that nobody asked for.
    others: Vec<PathBuf>,
}

/// Lists the candidates of what the command line names.
///
/// # Errors
/// If there is nothing that can be looked at.
pub(super) fn run(args: &LintArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    if shared.wants_document() {
        bail!(
            "candidates are no findings: `--html` and the formats `sarif` and `junit` are for those"
        );
    }
    let subject = read(args, shared)?;
    let program = &subject.program;
    let phase = Phase::new("looking for candidates", shared.quiet);
    let mut all = candidates(program);
    drop(phase);
    all.retain(|candidate| {
        let site = program.function(candidate.method).site;
        let file = program.files.get(site.file.index());
        !file.is_some_and(|file| is_other(file, &subject.root, &subject.others))
    });
    let mut before: Option<&Candidate> = None;
    for candidate in &all {
        let test = test::of(program, candidate, &subject.sources);
        let has_test = before.is_some_and(|before| before.method == candidate.method);
        let shown = print::Shown::new(program, candidate, test);
        output.line(&match output.format {
            MessageFormat::Json => json::line("candidate", &shown),
            MessageFormat::Human => shown.human(has_test, &subject.sources, &output.style),
            _ => shown.short(),
        });
        before = Some(candidate);
    }
    let gaps = program.gaps.iter();
    let gaps: Vec<String> = gaps.map(|g| format!("{}: {}", g.place, g.what)).collect();
    let end = End {
        candidates: all.len(),
        crates: subject.crates,
        functions: program.functions.len(),
        gaps: gaps.len(),
        reasons: some(&gaps, "places were not understood", shared.verbose),
    };
    end.tell(program.guarded, output);
    Ok(match gaps.is_empty() {
        true => Exit::Clean,
        false => Exit::Inconclusive,
    })
}

fn read(args: &LintArgs, shared: &Shared) -> Result<Subject> {
    let alone = |(program, sources), crates| Subject {
        program,
        sources,
        crates,
        root: PathBuf::new(),
        others: Vec::new(),
    };
    Ok(match input::of(args)? {
        Input::Project {
            manifest,
            directory,
        } => {
            let place = Place {
                args: &args.cargo,
                manifest: manifest.as_deref(),
                directory: directory.as_deref(),
                quiet: shared.quiet,
            };
            let project = place.extract()?;
            let sources = FileSources::of_program(std::slice::from_ref(&project.root), shared);
            Subject {
                program: code::of_project(&project.units, &sources, shared.quiet)?,
                sources,
                crates: project.units.len(),
                root: project.root,
                others: project.others,
            }
        }
        Input::Mir(files) => alone(code::of_mir(&files, shared)?, files.len()),
        Input::Classes(paths) => alone(code::of_classes(&paths, shared)?, paths.len()),
    })
}

/// The last line.
#[derive(Serialize)]
struct End {
    candidates: usize,
    crates: usize,
    functions: usize,
    gaps: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<String>,
}

impl End {
    fn tell(&self, is_rust: bool, output: &mut Output) {
        if output.format == MessageFormat::Json {
            let line = json::line("candidates", self);
            return output.line(&line);
        }
        if is_rust && self.candidates > 0 {
            output.note(
                "note: the tests are for the end of the file of their method. They need `commute` as a \
                 dependency, and its collections and locks in that file: `commute explain CM401` says how",
            );
        }
        let mut line = match self.candidates {
            0 => "commute: no candidates".to_owned(),
            n => format!("commute: {}", count(n as u64, "candidate")),
        };
        let crates = count(self.crates as u64, "crate");
        let functions = count(self.functions as u64, "function");
        line.push_str(&format!(" in {crates}, {functions}"));
        if self.gaps > 0 {
            let gaps = count(self.gaps as u64, "gap");
            line.push_str(&format!(", {gaps}: {}", self.reasons.join("; ")));
        }
        output.result_line(&line);
    }
}
