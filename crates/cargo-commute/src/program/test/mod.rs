//! `commute test`: what every `#[commute::test]` can do, in whatever order its threads
//! run.
//!
//! Cargo builds the test binaries; what they list is searched for tests of ours, and each
//! runs in a process of its own, which explores it and tells us: `docs/test.md`.

mod conversation;
mod diary;
mod finding;
mod guards;
mod libraries;
pub(crate) mod line;
mod list;
mod memory;
mod scene;
mod schedule;
mod targets;
mod test_target;
mod trace;
mod unexplored;
mod workers;

use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use commute_explore::{Memory, Report, Settings, Verdict};
use commute_report::visible;

use self::diary::{Diary, Known};
use self::targets::Found;
use self::workers::{Audience, Ended, Plan};
use super::environment::{Environment, Runs};
use crate::cli::{Shared, TestArgs};
use crate::examine::{Checked, Origin};
use crate::exit::Exit;
use crate::fingerprints::complete_by;
use crate::output::Output;
use crate::results::Results;
use crate::sources::FileSources;
use crate::store::{self, read};

/// Explores the tests of the command line.
pub(crate) fn run(args: &TestArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    if args.list {
        refuse_arguments(args)?;
        return list::run(args, shared, output);
    }
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

fn refuse_arguments(args: &TestArgs) -> Result<()> {
    match args.program.command.is_empty() {
        true => Ok(()),
        false => bail!("tests take no arguments"),
    }
}

fn explore_all(
    args: &TestArgs,
    shared: &Shared,
    output: &mut Output,
    results: &mut Results,
) -> Result<()> {
    refuse_arguments(args)?;
    // Better now than after everything was built.
    args.validate().map_err(|error| anyhow!(error))?;
    results.prepare_documents(shared)?;
    let environment = Environment::find(&args.program, Runs::Tests, shared.quiet)?;
    let only = targets::Only::Asked {
        lib: args.lib,
        workspace: args.workspace,
    };
    let targets = targets::build(&args.program.cargo, &only, &environment, shared.quiet)?;
    let root = environment.workspace_root();
    results.tests().unexplored = unexplored::count(&targets, root.as_deref());
    let mut found = targets::list(&targets, |name| args.wants(name))?;
    if found.is_empty() {
        results.doubt(match &args.filter {
            Some(_) => "no `#[commute::test]` has such a name",
            None => "there is no `#[commute::test]` here",
        });
        return Ok(());
    }
    if !args.include_ignored {
        for test in found.extract_if(.., |test| test.is_ignored) {
            line::print_ignored(&test.name, output);
            results.tests().ignored += 1;
        }
    }
    if found.is_empty() {
        results.doubt("all that was asked for is ignored (--include-ignored)");
        return Ok(());
    }
    let jobs = args.jobs.unwrap_or_else(cores).max(1);
    let diary = match &args.resume {
        Some(path) => Some(Diary::open(path, args.shard)?),
        None => None,
    };
    let mut telling = Telling {
        tests: Vec::new(),
        place: Place::of(&environment, shared),
        diary,
        results,
        output,
    };
    let mut tests = Vec::new();
    for test in found {
        let mut settings = args.settings();
        settings.root.clone_from(&root);
        settings.libraries.clone_from(&test.target.libraries);
        settings.max_memory = settings.max_memory.or_else(|| memory::share(jobs));
        if let Some(diary) = &mut telling.diary {
            match diary.begin(&test)? {
                Known::Begun(before) => settings.before = before,
                Known::Over(report) => {
                    telling.tell(&test, Ok(*report));
                    continue;
                }
            }
        }
        telling.tests.push(test.clone());
        tests.push((test, settings));
    }
    let plan = Plan {
        jobs,
        divide: args.divides(),
        tests,
        quiet: shared.quiet,
    };
    let ended = workers::explore(plan, &mut telling)?;
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
    // Nothing is started for a schedule that cannot be used.
    let kept = store::place::Place::of(shared, shared.asked.start.as_deref());
    let kept = kept.map(|place| place.schedules());
    let early = schedule::find(&args.schedule, kept.as_deref())?;
    let early = early.as_deref().map(schedule::read).transpose()?;
    let environment = Environment::find(&args.program, Runs::Tests, shared.quiet)?;
    let place = Place::of(&environment, shared);
    let plan = match early {
        Some(plan) => plan,
        None => match schedule::find(&args.schedule, place.folder.as_deref())? {
            Some(path) => schedule::read(&path)?,
            None => bail!(
                "there is no schedule `{}`: neither a file nor one that `commute test` has kept",
                visible(&args.schedule)
            ),
        },
    };
    let only = targets::Only::Named {
        package: plan.package.as_ref(),
        target: plan.target.as_ref(),
    };
    let targets = targets::build(&args.program.cargo, &only, &environment, shared.quiet)?;
    let found = targets::list(&targets, |name| name == plan.test)?;
    let Some(test) = found.into_iter().next() else {
        bail!("there is no `#[commute::test]` named `{}` here", plan.test);
    };
    let settings = Settings {
        max_memory: memory::share(1),
        replay: Some(plan.steps),
        root: environment.workspace_root(),
        libraries: test.target.libraries.to_vec(),
        ..Settings::default()
    };
    let mut telling = Telling {
        tests: vec![test.clone()],
        place,
        diary: None,
        results,
        output,
    };
    let plan = Plan {
        tests: vec![(test, settings)],
        jobs: 1,
        divide: false,
        quiet: shared.quiet,
    };
    workers::explore(plan, &mut telling)?;
    Ok(())
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Where things are.
struct Place {
    /// Source code.
    directories: Vec<PathBuf>,
    /// Flags of every command.
    shared: Shared,
    /// Schedules and traces of failures.
    folder: Option<PathBuf>,
    /// The flags with which they are found there.
    flags: String,
}

impl Place {
    fn of(environment: &Environment, shared: &Shared) -> Place {
        let root = environment.workspace_root();
        let metadata = environment.metadata.as_ref();
        let folder = match &shared.store.out_dir {
            Some(folder) => Some(folder.join("schedules")),
            None => metadata.map(|m| m.target_directory.join("commute/schedules").into()),
        };
        Place {
            directories: [PathBuf::new()].into_iter().chain(root).collect(),
            shared: shared.clone(),
            folder,
            flags: read::flags(&[], shared).unwrap_or_default(),
        }
    }
}

/// Prints what comes of tests, counts it, and keeps what is to be remembered.
struct Telling<'a> {
    tests: Vec<Found>,
    place: Place,
    diary: Option<Diary>,
    results: &'a mut Results,
    output: &'a mut Output,
}

impl Telling<'_> {
    fn tell(&mut self, test: &Found, report: Result<Report>) {
        tell(test, report, &self.place, self.results, self.output);
    }

    /// A diary that cannot be written any more is not kept any more.
    fn keep(&mut self, keep: impl FnOnce(&mut Diary) -> Result<()>) {
        if let Some(diary) = &mut self.diary
            && let Err(error) = keep(diary)
        {
            self.diary = None;
            self.results.doubt(&format!("{error:#}"));
        }
    }
}

impl Audience for Telling<'_> {
    fn over(&mut self, test: usize, report: Result<Report>) {
        if let Ok(report) = &report {
            self.keep(|diary| diary.over(test, report));
        }
        let test = self.tests[test].clone();
        self.tell(&test, report);
    }

    fn remember(&mut self, test: usize, memory: Memory) {
        self.keep(|diary| diary.remember(test, memory));
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
    let sources = FileSources::of_program(&place.directories, &place.shared);
    let full_name = test.full_name();
    let report = match result {
        Ok(report) => report,
        Err(error) => {
            line::print_broken(&full_name, &error, output);
            results.keep_line(|| line::broken_as_json(&full_name, &error));
            results.tests().inconclusive += 1;
            let reason = format!("{}: {error:#}", test.name);
            let checked = Checked {
                reasons: vec![reason],
                test: Some(full_name),
                ..Checked::default()
            };
            results.add(&origin, checked, sources, false, output);
            return;
        }
    };
    line::print(&full_name, &report, output);
    results.keep_line(|| line::as_json(&full_name, &report));
    let tests = results.tests();
    *match report.verdict {
        Verdict::Passed => &mut tests.passed,
        Verdict::Failed => &mut tests.failed,
        Verdict::Inconclusive => &mut tests.inconclusive,
    } += 1;
    let mut checked = Checked {
        events: { report.failures.iter() }
            .map(|story| story.steps.len() as u64)
            .sum(),
        test: Some(full_name),
        seconds: Some(report.seconds),
        ..Checked::default()
    };
    if report.verdict == Verdict::Inconclusive {
        let reasons = report.reasons.iter();
        checked.reasons = reasons.map(|why| format!("{}: {why}", test.name)).collect();
    }
    let findings = report.failures.iter();
    let mut findings: Vec<_> = findings.map(|s| finding::of(&test.name, s)).collect();
    let told_by = report.failures.iter().map(finding::told_by);
    complete_by(findings.iter_mut().zip(told_by), &sources);
    for (story, mut finding) in report.failures.iter().zip(findings) {
        finding.scene = Some(Box::new(scene::of(story, &finding)));
        // Of a replay that went elsewhere there is nothing to run again.
        let is_failure = !matches!(story.wrong, commute_explore::Wrong::Diverged { .. });
        if let Some(folder) = place.folder.as_ref().filter(|_| is_failure) {
            match keep(test, story, &finding.fingerprint, folder) {
                Ok(()) => {
                    let command = finding::replay(&finding.fingerprint, test);
                    finding.replay = Some(command + &place.flags);
                }
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
