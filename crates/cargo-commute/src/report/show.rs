//! `commute report`: what runs have found, as it was shown then, or in another format.

use std::sync::Arc;

use anyhow::Result;
use commute_report::Tests;
use commute_spec::Library;

use super::test_line::{UNEXPLAINED, report};
use crate::cli::{ReportArgs, Shared};
use crate::exit::Exit;
use crate::output::Output;
use crate::program::test::line;
use crate::results::Results;
use crate::scenes;
use crate::store::read::{self, StoredRun, StoredTrace};

/// Shows what the files contain, or the last run.
pub(super) fn run(args: &ReportArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let files = match args.files.is_empty() {
        true => read::kept(shared)?
            .into_iter()
            .take(1)
            .map(|run| run.path)
            .collect(),
        false => read::files(&args.files)?,
    };
    let runs = StoredRun::read_all(&files)?;
    output.stored = read::flags(&args.files, shared);
    let mut results = Results::of_stored(&runs, tests(&runs), shared);
    results.prepare_documents(shared)?;
    let library = Arc::new(crate::library::load(&shared.spec, output)?);
    for run in &runs {
        tell(run, runs.len() > 1, &library, shared, &mut results, output);
    }
    if !shared.store.has_baseline() {
        let traces = runs.iter().flat_map(|run| &run.traces);
        results.add_known(traces.map(|trace| trace.known.len() as u64).sum());
    }
    results.judge_as_before(&runs, &|_| false);
    let command = { runs.iter() }
        .map(|run| &*run.run.command)
        .reduce(|a, b| if a == b { a } else { "" });
    // A document of a run is the one that the run would have made.
    let command = command.filter(|command| !command.is_empty());
    results.finish(command.unwrap_or("report"), Ok(()), output)
}

fn tell(
    run: &StoredRun,
    several: bool,
    library: &Arc<Library>,
    shared: &Shared,
    results: &mut Results,
    output: &mut Output,
) {
    // A test is named with what came of it.
    let several = several || (run.traces.len() > 1 && run.tests.is_empty());
    for trace in &run.traces {
        let test = run.test_of(trace);
        if let Some(test) = test {
            line::print(&test.full_name, &report(test), output);
        }
        let (origin, sources) = (trace.origin(), run.sources(trace, shared));
        let mut checked = trace.checked(shared.store.has_baseline());
        checked.test = test.map(|test| test.full_name.clone());
        checked.seconds = test.map(|test| test.seconds);
        checked.reasons.extend(unexplained(run, trace));
        let files = run.places_of(trace);
        let findings = (&mut checked.findings[..], checked.events);
        scenes::draw_again(findings, &files, library, shared);
        results.add(&origin, checked, sources, several, output);
    }
}

/// That a test has failed, if nothing else says so.
fn unexplained(run: &StoredRun, trace: &StoredTrace) -> Option<String> {
    let test = run.test_of(trace).filter(|test| test.verdict == "failed")?;
    let unlisted = run.unlisted();
    let is_told = !trace.findings.is_empty() || !trace.known.is_empty();
    let is_allowed = trace.trace.suppressed + unlisted.suppressed + unlisted.known > 0;
    let reason = format!("{}: {UNEXPLAINED}", test.full_name.name);
    (!is_told && !is_allowed).then_some(reason)
}

/// How many tests came to what.
fn tests(runs: &[StoredRun]) -> Option<Tests> {
    let mut tests = Tests::default();
    for run in runs {
        tests.ignored += run.run.ignored;
        for test in &run.tests {
            *match &*test.verdict {
                "passed" => &mut tests.passed,
                "failed" => &mut tests.failed,
                _ => &mut tests.inconclusive,
            } += 1;
        }
    }
    let is_some = runs.iter().any(|run| !run.tests.is_empty());
    is_some.then_some(tests)
}
