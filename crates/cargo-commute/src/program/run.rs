//! `commute run`: a program in, findings out.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use commute_model::Names;
use commute_report::clip;
use commute_trace::{ErrorKind, TraceReader};

use super::connection::{Connection, Peer};
use super::process::failure;
use super::supervise::{Stop, Supervised, supervise};
use super::{Program, name_of};
use crate::cli::{RunArgs, Shared};
use crate::examine::{Checked, Examination, Origin};
use crate::exit::Exit;
use crate::output::{Output, count};
use crate::passes::{Passes, Plan};
use crate::progress::Progress;
use crate::refusal::Refusal;
use crate::results::Results;
use crate::sources::FileSources;
use crate::trace::options;

/// Runs the program of the command line and checks what it does.
pub(crate) fn run(args: &RunArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    if let Some(path) = &args.output {
        let name = path.display();
        let redirected = output.redirect(path, shared);
        redirected.with_context(|| format!("cannot write {name} (--output)"))?;
    }
    let mut results = Results::new(&args.analysis, shared);
    let result = run_all(args, shared, output, &mut results);
    let exit = results.finish("run", result, output)?;
    output.flush();
    if let Some(path) = args.output.as_ref().filter(|_| output.is_gone()) {
        anyhow::bail!("the report could not be written to {}", path.display());
    }
    Ok(exit)
}

fn run_all(
    args: &RunArgs,
    shared: &Shared,
    output: &mut Output,
    results: &mut Results,
) -> Result<()> {
    let plan = results.prepare(&args.analysis, shared, &[], output)?;
    // What would be refused in every process is refused before the first.
    for (name, type_name) in &shared.object {
        Passes::new(&plan).declare(name, type_name, &mut Names::default())?;
    }
    let program = Program::prepare(&args.program, shared.quiet)?;
    let checker = (Arc::new(plan), Arc::new(shared.clone()));
    let handler = Arc::new(move |connection: Connection, stop: &Stop| {
        let (plan, shared) = &checker;
        check(connection, stop, plan, shared)
    });
    let mut processes = Vec::new();
    let mut failures = Vec::new();
    for command in program.commands {
        let name = name_of(&command);
        let done = supervise(command, &handler, output)?;
        let (over, stopped) = (done.stopped || done.interrupted, done.stopped);
        failures.extend(
            { failure(done.status) }
                .filter(|_| !stopped)
                .map(|how| (name, how)),
        );
        take(done, &mut processes, results, output);
        if over {
            break;
        }
    }
    report(processes, &program.directories, results, output)?;
    judge(&failures, results, output);
    Ok(())
}

/// Checks what a process does, while it does it.
fn check(connection: Connection, stop: &Stop, plan: &Plan, shared: &Shared) -> Result<Checked> {
    let origin = Origin {
        path: connection.peer.program.clone(),
        again: false,
    };
    let reader = match TraceReader::from_reader(connection.stream, options(shared)) {
        Ok(reader) => reader,
        Err(error) => return Ok(Checked::failed(error)),
    };
    let mut examination = Examination::new(reader, &origin, plan, shared)?;
    let error = examination.read(&mut Progress::hidden()).err();
    if plan.fail_fast && examination.found() {
        stop.press();
    }
    Ok(examination.finish(error))
}

/// Takes over what came of the processes of a program.
fn take(
    done: Supervised<Result<Checked>>,
    processes: &mut Vec<(Peer, Result<Checked>)>,
    results: &mut Results,
    output: &mut Output,
) {
    for process in done.processes {
        match process {
            Ok((peer, mut checked)) => {
                if let Ok(checked) = &mut checked {
                    excuse(&peer, checked, done.stopped);
                }
                processes.push((peer, checked));
            }
            Err(stranger) => {
                output.error_text(&stranger);
                results.fail(&stranger);
            }
        }
    }
}

/// A trace that just stops is no bad input: its process was killed. That is
/// worth a word, unless we did it.
fn excuse(peer: &Peer, checked: &mut Checked, stopped: bool) {
    let cut = [ErrorKind::Truncated, ErrorKind::Empty, ErrorKind::Io];
    if checked
        .error
        .as_ref()
        .is_some_and(|e| cut.contains(&e.kind))
    {
        checked.error = None;
        let program = peer.program.display().to_string();
        let (program, events) = (clip(&program, 400), count(checked.events, "event"));
        let reason = format!(
            "{program} (process {}) was killed or crashed: what it did after {events} is not known",
            peer.pid
        );
        checked.reasons.extend((!stopped).then_some(reason));
    }
}

/// Prints and counts what came of all processes, in the order in which they
/// connected.
fn report(
    processes: Vec<(Peer, Result<Checked>)>,
    directories: &[PathBuf],
    results: &mut Results,
    output: &mut Output,
) -> Result<()> {
    let several = processes.len() > 1;
    let mut known: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (peer, checked) in processes {
        let nth = known.entry(peer.program.clone()).or_default();
        *nth += 1;
        // Numbers of processes would make every report another one.
        let path = match nth {
            1 => peer.program,
            nth => format!("{} #{nth}", peer.program.display()).into(),
        };
        let origin = Origin { path, again: false };
        let sources = FileSources::below(directories);
        results.add(&origin, checked?, sources, several, output);
    }
    Ok(())
}

/// Says what the findings do not: that there was nothing to look at, or that the
/// program failed.
fn judge(failures: &[(String, String)], results: &mut Results, output: &mut Output) {
    if results.events() == 0 {
        let reason = "the program recorded no events";
        results.doubt(reason);
        let help = "was it built with --cfg commute, and does it use commute's types?";
        output.note(&format!("help: {reason}: {help}"));
    }
    for (program, how) in failures {
        let message = format!("the program {how}");
        if results.has_failing() {
            output.note(&format!("note: {message}"));
            continue;
        }
        results.fail(&message);
        Refusal::new(program, message).report(output);
    }
}
