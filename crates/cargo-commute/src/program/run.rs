//! `commute run`: a program in, findings out.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Arc;

use anyhow::{Context, Result};
use commute_model::Names;
use commute_trace::TraceReader;

use super::connection::{Connection, Peer};
use super::link::Link;
use super::process::failure;
use super::run_report::{Ending, Processes, excuse, report, report_so_far};
use super::supervise::{Supervised, Supervisor, deaf};
use super::trace_file::{Saved, Saving, check_writable, end_here, numbered};
use super::unrecorded::UnrecordedProcesses;
use super::watched::Interruption;
use super::{Program, name_of};
use crate::cli::{RunArgs, Shared};
use crate::examine::{Checked, Examination, Origin};
use crate::exit::Exit;
use crate::output::Output;
use crate::passes::{Passes, Plan};
use crate::progress::Progress;
use crate::refusal::Refusal;
use crate::results::Results;
use crate::sources::FileSources;
use crate::trace::options;

/// What came of one process.
pub(super) struct Process {
    pub checked: Result<Checked>,
    /// The file that its trace was saved to.
    saved: Option<(PathBuf, Saved)>,
}

/// What is the same for all processes.
struct Checker {
    plan: Plan,
    shared: Shared,
    save: Option<PathBuf>,
    /// Where source files are named from.
    directories: Vec<PathBuf>,
}

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
        anyhow::bail!("cannot write the report to {} (--output)", path.display());
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
    let save = args.save.clone();
    save.as_deref().map(check_writable).transpose()?;
    let mut processes = Processes::default();
    let prepared = Program::prepare(&args.program, Some(&args.trust), shared.quiet);
    let program = prepared?;
    results.observe(program.unobserved);
    processes.directories = program.directories;
    let checker = Arc::new(Checker {
        plan,
        shared: shared.clone(),
        save,
        directories: processes.directories.clone(),
    });
    let ended = check_all(program.commands, &checker, &mut processes, results, output)?;
    write_held(&mut processes, results, output);
    report(processes, shared, results, output)?;
    judge(&ended, results, output);
    Ok(())
}

/// How the programs ended.
#[derive(Default)]
struct Ended {
    /// Those that failed by themselves, and how.
    failures: Vec<(String, String)>,
    interrupted: Option<String>,
    unrecorded: UnrecordedProcesses,
}

/// Runs one program after the other.
fn check_all(
    commands: Vec<Command>,
    checker: &Arc<Checker>,
    processes: &mut Processes,
    results: &mut Results,
    output: &mut Output,
) -> Result<Ended> {
    // That of the connection, and that of the file.
    let descriptors = 1 + usize::from(checker.save.is_some());
    let supervisor = Supervisor::new(descriptors)?;
    let mut ended = Ended::default();
    let (mut before, mut left) = (0, commands.len());
    for command in commands {
        let name = name_of(&command);
        let shared = checker.shared.clone();
        let checker = checker.clone();
        let handler = Arc::new(move |connection: Connection, link: &Link<Process>| {
            checker.check(connection, before, link)
        });
        let mut show = |more: &[&(Peer, Process)], output: &mut Output| {
            report_so_far(processes, more, &shared, results, output);
        };
        let mut done = supervisor.run(command, &handler, &mut show, output)?;
        left -= 1;
        before += done.processes.len();
        let (status, stopped, interrupted) = (done.status, done.stopped, done.interrupted);
        ended.unrecorded.join(std::mem::take(&mut done.unrecorded));
        take(done, processes, results, output);
        if let Some(interruption) = interrupted {
            ended.interrupted = interrupted_by(&interruption, status, left);
        } else if !stopped && let Some(how) = failure(status) {
            ended.failures.push((name, how));
        }
        if stopped || interrupted.is_some() {
            break;
        }
    }
    Ok(ended)
}

/// Why not everything was seen, if so. A program that ends well when it is asked to
/// has done all that it would do.
fn interrupted_by(interruption: &Interruption, status: ExitStatus, left: usize) -> Option<String> {
    let how = failure(status);
    if how.is_none() && left == 0 {
        return None;
    }
    let mut reason = interruption.describe(how);
    if left > 0 {
        reason += &format!(", and {left} more did not run");
    }
    Some(reason)
}

impl Checker {
    /// Checks what a process does, while it does it. `before` are the processes of
    /// earlier programs.
    fn check(&self, connection: Connection, before: usize, link: &Link<Process>) -> Process {
        let Some(save) = &self.save else {
            let (program, stream) = (connection.peer.program, connection.stream);
            return self.examine(program, stream, None, link);
        };
        let path = numbered(save, before + connection.number);
        let saving = Saving::new(connection.stream, &path);
        let program = connection.peer.program;
        let mut process = self.examine(program, saving.clone(), Some(path.clone()), link);
        // What was not looked at is kept, too.
        process.saved = Some((path, saving.finish()));
        process
    }

    fn examine(
        &self,
        program: PathBuf,
        stream: impl Read + Send + 'static,
        saved: Option<PathBuf>,
        link: &Link<Process>,
    ) -> Process {
        let origin = Origin {
            path: program,
            again: false,
            saved,
        };
        let (plan, shared) = (&self.plan, &self.shared);
        let reader = match TraceReader::from_reader(stream, options(shared)) {
            Ok(reader) => reader,
            Err(error) => return Process::of(Ok(Checked::failed(error))),
        };
        let sources = FileSources::of_program(&self.directories, shared);
        let begun = Examination::live(reader, &origin, plan, shared, &sources);
        let (mut examination, bell) = match begun {
            Ok(begun) => begun,
            Err(error) => return Process::of(Err(error)),
        };
        link.listen(move || bell.ring());
        let mut answer = |so_far| link.answer(Process::of(Ok(so_far)));
        let read = examination.read(&mut Progress::hidden(), &mut answer);
        if plan.fail_fast && examination.found() {
            link.enough();
        }
        Process::of(Ok(examination.finish(read.err())))
    }
}

impl Process {
    fn of(checked: Result<Checked>) -> Process {
        let saved = None;
        Process { checked, saved }
    }

    /// The file that has its trace, all of it.
    pub(super) fn saved_to(&self) -> Option<PathBuf> {
        let (path, saved) = self.saved.as_ref()?;
        let is_whole = saved.lost.is_none() && saved.held.is_none();
        is_whole.then(|| path.clone())
    }
}

/// Takes over what came of the processes of a program.
fn take(
    done: Supervised<Process>,
    processes: &mut Processes,
    results: &mut Results,
    output: &mut Output,
) {
    let how = match (done.stopped, done.interrupted) {
        (true, _) => Ending::Stopped,
        (false, Some(_)) => Ending::Interrupted,
        (false, None) => Ending::Unwanted,
    };
    if let Some(error) = &done.deaf {
        let message = deaf(error);
        output.error_text(&message);
        results.fail(&message);
    }
    for process in done.processes {
        let (peer, mut process) = match process {
            Ok(process) => process,
            Err(stranger) => {
                output.error_text(&stranger);
                results.fail(&stranger);
                continue;
            }
        };
        if let Ok(checked) = &mut process.checked {
            excuse(&peer, checked, how);
        }
        match &process.saved {
            Some((
                path,
                Saved {
                    lost: Some(lost), ..
                },
            )) => {
                cannot_write(path, lost, results, output);
            }
            Some((path, Saved { held: None, .. })) if how != Ending::Unwanted => end_here(path),
            _ => {}
        }
        processes.all.push((peer, process));
    }
}

/// Writes traces without events, if there are others with some.
fn write_held(processes: &mut Processes, results: &mut Results, output: &mut Output) {
    let mut all = Vec::from_iter(
        { processes.all.iter_mut() }.filter_map(|(_, process)| process.saved.as_mut()),
    );
    if all.iter().any(|(_, saved)| saved.held.is_none()) {
        for (path, saved) in &mut all {
            if saved.held.is_some() {
                saved.write_held(path);
                if let Some(lost) = &saved.lost {
                    cannot_write(path, lost, results, output);
                }
            }
        }
    }
}

/// A file does not hold all.
fn cannot_write(path: &Path, lost: &io::Error, results: &mut Results, output: &mut Output) {
    let message = format!("cannot write {}: {lost} (--save)", path.display());
    output.error_text(&message);
    results.fail(&message);
}

/// Says what the findings do not: that there was nothing to look at, or that the
/// program failed.
fn judge(ended: &Ended, results: &mut Results, output: &mut Output) {
    for reason in ended.unrecorded.reasons() {
        results.doubt(&reason);
        if results.has_failing() {
            output.note(&format!("note: {reason}"));
        }
    }
    if results.events() == 0 && ended.unrecorded.is_empty() {
        let reason = "the program recorded no events";
        results.doubt(reason);
        if ended.interrupted.is_none() {
            let help = "was it built with --cfg commute, and does it use commute's types?";
            output.note(&format!("help: {reason}: {help}"));
        }
    }
    if let Some(reason) = &ended.interrupted {
        results.doubt(reason);
    }
    for (program, how) in &ended.failures {
        let message = format!("the program {how}");
        if results.has_failing() {
            output.note(&format!("note: {message}"));
            continue;
        }
        results.fail(&message);
        Refusal::new(program, message).report(output);
    }
}
