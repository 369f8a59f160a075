//! `commute test`: what every `#[commute::test]` can do, in whatever order its threads
//! run.
//!
//! Cargo builds the test binaries; what they list is searched for tests of ours, and each
//! runs in a process of its own, which explores it and tells us: `docs/test.md`.

mod conversation;
mod finding;
mod line;
mod schedule;
mod targets;
mod trace;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};
use commute_explore::{Progress as Explored, Report, Settings, Verdict};

use self::conversation::{Conversation, Happening};
use self::targets::{Found, Target};
use super::environment::Environment;
use super::signals;
use crate::cli::{Shared, TestArgs};
use crate::examine::{Checked, Origin};
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Ticker;
use crate::results::Results;
use crate::sources::FileSources;

/// Explores the tests of the command line.
pub(crate) fn run(args: &TestArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let mut results = Results::of_tests(args.engine.name(), shared);
    let result = explore_all(args, shared, output, &mut results);
    results.finish("test", result, output)
}

/// Runs a schedule again.
pub(crate) fn replay(
    args: &crate::cli::ReplayArgs,
    shared: &Shared,
    output: &mut Output,
) -> Result<Exit> {
    let mut results = Results::of_tests("replay", shared);
    let result = replay_one(args, shared, output, &mut results);
    results.finish("replay", result, output)
}

fn explore_all(
    args: &TestArgs,
    shared: &Shared,
    output: &mut Output,
    results: &mut Results,
) -> Result<()> {
    if !args.program.command.is_empty() {
        bail!("tests take no arguments");
    }
    let settings = args.settings();
    // Better now than after everything was built.
    if let Err(reason) = commute_explore::named(&settings) {
        bail!(reason);
    }
    results.prepare_documents(shared)?;
    let environment = Environment::find(&args.program, shared.quiet)?;
    let only = targets::Only::Asked {
        lib: args.lib,
        workspace: args.workspace,
    };
    let targets = targets::build(&args.program.cargo, &only, &environment, shared.quiet)?;
    let found = targets::list(&targets, |name| args.wants(name))?;
    if args.list {
        for test in &found {
            output.line(&test.name);
        }
        return Ok(());
    }
    if found.is_empty() {
        results.doubt(match &args.filter {
            Some(_) => "no `#[commute::test]` has such a name",
            None => "there is no `#[commute::test]` here",
        });
        return Ok(());
    }
    let place = Place::of(&environment);
    let jobs = args.jobs.unwrap_or_else(cores).clamp(1, found.len());
    let ended = in_parallel(found, &settings, jobs, shared, &mut |test, result| {
        tell(&test, result, &place, results, output);
    })?;
    if ended < Ended::All {
        results.doubt("it was interrupted");
    }
    Ok(())
}

fn replay_one(
    args: &crate::cli::ReplayArgs,
    shared: &Shared,
    output: &mut Output,
    results: &mut Results,
) -> Result<()> {
    results.prepare_documents(shared)?;
    let environment = Environment::find(&args.program, shared.quiet)?;
    let place = Place::of(&environment);
    let path = schedule::find(&args.schedule, place.folder.as_deref())?;
    let plan = schedule::read(&path)?;
    let only = targets::Only::Named(&plan.target);
    let targets = targets::build(&args.program.cargo, &only, &environment, shared.quiet)?;
    let found = targets::list(&targets, |name| name == plan.test)?;
    let Some(test) = found.into_iter().next() else {
        bail!("there is no `#[commute::test]` named `{}` here", plan.test);
    };
    let settings = Settings {
        replay: Some(plan.steps),
        ..Settings::default()
    };
    in_parallel(vec![test], &settings, 1, shared, &mut |test, result| {
        tell(&test, result, &place, results, output);
    })?;
    Ok(())
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Where things are.
struct Place {
    /// Source code.
    directories: Vec<PathBuf>,
    /// Schedules and traces of failures.
    folder: Option<PathBuf>,
}

impl Place {
    fn of(environment: &Environment) -> Place {
        let root = environment.workspace_root();
        let metadata = environment.metadata.as_ref();
        let folder = metadata.map(|m| m.target_directory.join("commute/schedules").into());
        Place {
            directories: [PathBuf::new()].into_iter().chain(root).collect(),
            folder,
        }
    }
}

/// How much was done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ended {
    /// Somebody asked for an end.
    Early,
    All,
}

/// What a worker tells.
enum News {
    Progress(Explored),
    Over(usize, Result<Report>),
    Interrupted,
}

/// Explores tests, some at a time; `over` gets each, in order.
fn in_parallel(
    tests: Vec<Found>,
    settings: &Settings,
    jobs: usize,
    shared: &Shared,
    over: &mut dyn FnMut(Found, Result<Report>),
) -> Result<Ended> {
    let (tell, news) = channel();
    let stop = Arc::new(Stop::default());
    let signals = tell.clone();
    signals::watch(move |_| signals.send(News::Interrupted).is_ok())?;
    let queue: VecDeque<(usize, Target, String)> = { tests.iter().enumerate() }
        .map(|(number, test)| (number, test.target.clone(), test.name.clone()))
        .collect();
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..jobs {
        let worker = Worker {
            queue: Arc::clone(&queue),
            settings: settings.clone(),
            stop: Arc::clone(&stop),
            tell: tell.clone(),
        };
        thread::spawn(move || worker.work());
    }
    drop(tell);
    let mut ticker = Ticker::new(shared.quiet);
    let mut waiting: Vec<Option<Result<Report>>> = tests.iter().map(|_| None).collect();
    let mut tests: VecDeque<Found> = tests.into();
    let (mut next, mut ended) = (0, Ended::All);
    while next < waiting.len() {
        match news.recv().context("whoever explores is gone")? {
            News::Progress(progress) => {
                let name = tests.front().map_or("", |test| &test.name);
                ticker.update(name, &progress, waiting.len() - next);
            }
            News::Interrupted => {
                ended = Ended::Early;
                { queue.lock().unwrap_or_else(PoisonError::into_inner) }.clear();
                stop.all();
            }
            News::Over(number, report) => waiting[number] = Some(report),
        }
        while let Some(report) = waiting.get_mut(next).and_then(Option::take) {
            ticker.finish();
            over(tests.pop_front().expect("as many as reports"), report);
            next += 1;
        }
        let is_idle = || { queue.lock() }.is_ok_and(|queue| queue.is_empty());
        if ended == Ended::Early && is_idle() && stop.is_over() {
            break;
        }
    }
    ticker.finish();
    Ok(ended)
}

/// Conversations that may be asked to come to an end.
#[derive(Default)]
struct Stop {
    open: Mutex<Vec<Conversation>>,
}

impl Stop {
    fn open(&self) -> std::sync::MutexGuard<'_, Vec<Conversation>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn all(&self) {
        for conversation in self.open().iter() {
            conversation.stop();
        }
    }

    fn is_over(&self) -> bool {
        self.open().is_empty()
    }
}

/// Explores one test after the other.
struct Worker {
    queue: Arc<Mutex<VecDeque<(usize, Target, String)>>>,
    settings: Settings,
    stop: Arc<Stop>,
    tell: Sender<News>,
}

impl Worker {
    fn work(&self) {
        loop {
            let next = { self.queue.lock() }.map(|mut queue| queue.pop_front());
            let Ok(Some((number, target, name))) = next else {
                return;
            };
            let result = self.explore(&target, &name);
            if self.tell.send(News::Over(number, result)).is_err() {
                return;
            }
        }
    }

    fn explore(&self, target: &Target, name: &str) -> Result<Report> {
        let conversation = Conversation::begin(target, name, &self.settings)?;
        self.stop.open().push(conversation.clone());
        let result = conversation.listen(&mut |happening| match happening {
            Happening::Progress(progress) => {
                let _ = self.tell.send(News::Progress(progress));
            }
        });
        self.stop.open().retain(|open| !open.is(&conversation));
        result
    }
}

/// Prints what came of a test, and counts it.
fn tell(
    test: &Found,
    result: Result<Report>,
    place: &Place,
    results: &mut Results,
    output: &mut Output,
) {
    let origin = Origin {
        path: PathBuf::from(&test.name),
        again: false,
        saved: None,
    };
    let sources = FileSources::below(&place.directories);
    let report = match result {
        Ok(report) => report,
        Err(error) => {
            line::print_broken(&test.name, &error, output);
            let reason = format!("{}: {error:#}", test.name);
            let checked = Checked {
                reasons: vec![reason],
                ..Checked::default()
            };
            results.add(&origin, checked, sources, false, output);
            return;
        }
    };
    line::print(&test.name, &report, output);
    let mut checked = Checked {
        events: { report.failures.iter() }
            .map(|story| story.steps.len() as u64)
            .sum(),
        ..Checked::default()
    };
    if report.verdict == Verdict::Inconclusive {
        let reasons = report.reasons.iter();
        checked.reasons = reasons.map(|why| format!("{}: {why}", test.name)).collect();
    }
    for story in &report.failures {
        let mut finding = finding::of(&test.name, story);
        // Of a replay that went elsewhere there is nothing to run again.
        let is_failure = !matches!(story.wrong, commute_explore::Wrong::Diverged { .. });
        if let Some(folder) = place.folder.as_ref().filter(|_| is_failure) {
            match keep(test, story, &finding.fingerprint, folder) {
                Ok(()) => finding.replay = Some(finding::replay(&finding.fingerprint, test)),
                Err(error) => output.note(&format!("warning: {error:#}")),
            }
        }
        checked.findings.push(finding);
    }
    results.add(&origin, checked, sources, false, output);
}

/// Keeps a failure, to be run and looked at again.
fn keep(
    test: &Found,
    story: &commute_explore::Story,
    fingerprint: &str,
    folder: &Path,
) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    schedule::write(&folder.join(format!("{fingerprint}.schedule")), test, story)?;
    trace::write(&folder.join(format!("{fingerprint}.std")), story)
}
