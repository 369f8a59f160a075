//! `commute check`: traces in, findings out.

use std::path::Path;

use anyhow::Result;
use commute_trace::ErrorKind;

use crate::cli::{CheckArgs, Shared};
use crate::examine::{Checked, Examination, Origin};
use crate::exit::Exit;
use crate::initial_states::{self, TOO_LATE};
use crate::memory_limit::MemoryLimit;
use crate::output::Output;
use crate::passes::Plan;
use crate::progress::Progress;
use crate::results::Results;
use crate::sources::FileSources;
use crate::trace::open;

/// Checks all traces of the command line.
pub(crate) fn run(args: &CheckArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let mut results = Results::new(&args.analysis, shared);
    let result = check_all(args, shared, output, &mut results);
    results.finish("check", result, output)
}

/// Checks and prints one trace after the other.
fn check_all(
    args: &CheckArgs,
    shared: &Shared,
    output: &mut Output,
    results: &mut Results,
) -> Result<()> {
    let most = args.max_memory.map(|size| MemoryLimit::new(size.0));
    let most = most.transpose()?;
    let plan = results.prepare(&args.analysis, shared, &args.traces, output)?;
    let several = args.traces.len() > 1;
    for path in &args.traces {
        let origin = Origin::of(path);
        let sources = FileSources::of(path, shared);
        let checked = check(&origin, &plan, shared, &sources, most)?;
        results.add(&origin, checked, sources, several, output);
    }
    Ok(())
}

/// Checks a trace; a second time if it tells too late of the initial states of its objects.
fn check(
    origin: &Origin,
    plan: &Plan,
    shared: &Shared,
    sources: &FileSources,
    most: Option<MemoryLimit>,
) -> Result<Checked> {
    let checked = check_once(origin, plan, shared, sources, most)?;
    if !checked.is_late {
        return Ok(checked);
    }
    let states = initial_states::infer(origin, plan.library(), shared);
    let plan = plan.clone().with_initial_states(states);
    let mut checked = check_once(origin, &plan, shared, sources, most)?;
    if checked.is_late {
        // The file has changed.
        checked.reasons.push(TOO_LATE.to_owned());
    }
    Ok(checked)
}

fn check_once(
    origin: &Origin,
    plan: &Plan,
    shared: &Shared,
    sources: &FileSources,
    most: Option<MemoryLimit>,
) -> Result<Checked> {
    let reader = match open(&origin.path, shared) {
        Ok(reader) => reader,
        Err(error) => {
            return Ok(Checked {
                is_unreadable: error.kind == ErrorKind::Io,
                ..Checked::failed(error)
            });
        }
    };
    let mut examination = Examination::new(reader, origin, plan, shared, sources)?;
    examination.limit_memory(most);
    let mut progress = Progress::new(size(origin), shared.quiet);
    let error = examination.read(&mut progress, &mut |_| {}).err();
    progress.finish();
    Ok(examination.finish(error))
}

fn size(origin: &Origin) -> Option<u64> {
    let length = |path: &Path| std::fs::metadata(path).ok().map(|m| m.len());
    length(&origin.path).filter(|_| origin.again)
}
