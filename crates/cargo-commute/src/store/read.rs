//! Takes a run out again that was kept, or written with `--message-format json`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use commute_model::{Certainty, Finding};
use commute_report::stored::{Diagnostic, Found, Line, Summary, Test};
use commute_report::{KeptProblem, KeptRun, KeptTrace, Known};
use commute_trace::{ErrorKind, Excerpt, Place as TracePlace, TraceError};

use super::folder::{self, Entry};
use super::lines;
use super::place::Place;
use crate::cli::Shared;
use crate::examine::{Checked, Origin};
use crate::shell_word::{is_own_command, shell_word};
use crate::sources::FileSources;

/// A run, read.
#[derive(Debug)]
pub(crate) struct StoredRun {
    pub path: PathBuf,
    pub run: KeptRun,
    pub tests: Vec<Test>,
    pub traces: Vec<StoredTrace>,
    /// What it came to, unless it was ended before.
    pub summary: Option<Summary>,
    /// What is known, if it is no run, but a baseline.
    pub baseline: Option<Vec<Known>>,
}

/// What it looked at, and what was found there.
#[derive(Debug, Default)]
pub(crate) struct StoredTrace {
    pub trace: KeptTrace,
    pub findings: Vec<Finding>,
    /// Those that were known from a baseline.
    pub known: Vec<Finding>,
    /// Its place among the tests, if it is one.
    pub test: Option<usize>,
}

impl StoredRun {
    /// Reads a file.
    ///
    /// # Errors
    /// If there is something in it that is none of ours, with line and column, or nothing.
    pub(crate) fn read(path: &Path) -> Result<StoredRun> {
        let mut stored = StoredRun {
            path: path.to_owned(),
            run: KeptRun::default(),
            tests: Vec::new(),
            traces: Vec::new(),
            summary: None,
            baseline: None,
        };
        let lines = lines::read(path, &mut |_, line| stored.take(line))?;
        if lines == 0 {
            bail!("{}:1:1: it is empty: no run wrote this", path.display());
        }
        stored.add_what_is_clean();
        Ok(stored)
    }

    /// Reads all of these, which have to be runs.
    ///
    /// # Errors
    /// As [`read`](StoredRun::read), or if there is a baseline among them.
    pub(crate) fn read_all(paths: &[PathBuf]) -> Result<Vec<StoredRun>> {
        let read = |path: &PathBuf| {
            let run = StoredRun::read(path)?;
            if run.baseline.is_some() && run.summary.is_none() {
                let name = path.display();
                bail!("{name} is a baseline, and no run: `report diff` compares with it");
            }
            Ok(run)
        };
        paths.iter().map(read).collect()
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Run(run) => self.run = run,
            Line::Trace(trace) => self.add_trace(*trace),
            Line::Finding(found) => self.add(*found),
            Line::Diagnostic(diagnostic) => self.add_problem(diagnostic),
            Line::Test(test) => self.add_test(test),
            Line::Summary(summary) => self.summary = Some(summary),
            Line::Baseline => drop(self.baseline.get_or_insert_default()),
            Line::Known(known) => self.baseline.get_or_insert_default().push(known),
            Line::Other => {}
        }
    }

    /// Adds a test. Of one in which nothing was found, what was printed says no more.
    fn add_test(&mut self, test: Test) {
        let name = &test.full_name.name;
        let reasons = test
            .reasons
            .iter()
            .filter(|_| test.verdict == "inconclusive");
        let trace = KeptTrace {
            name: name.clone(),
            reasons: reasons.map(|why| format!("{name}: {why}")).collect(),
            ..KeptTrace::default()
        };
        self.traces.push(StoredTrace {
            trace,
            test: Some(self.tests.len()),
            ..StoredTrace::default()
        });
        self.tests.push(test);
    }

    /// Adds what was looked at. What is stored says it of a test, after the test.
    fn add_trace(&mut self, trace: KeptTrace) {
        let test = self.traces.last_mut().filter(|last| last.test.is_some());
        match test.filter(|test| test.trace.name == trace.name) {
            Some(test) => test.trace = trace,
            None => self.traces.push(StoredTrace {
                trace,
                ..StoredTrace::default()
            }),
        }
    }

    /// Adds what was looked at if nothing was found: what was printed does not name it, but
    /// it was there.
    fn add_what_is_clean(&mut self) {
        let is_printed = self.run.command.is_empty();
        let is_clean = { self.summary.as_ref() }.is_some_and(|summary| summary.verdict == "clean");
        if is_printed && is_clean && self.traces.is_empty() {
            let name = self.own_name();
            self.last_if(|_| false, &name);
        }
    }

    /// Adds a finding to what it was found in. What was printed does not say that if it is
    /// the only trace, or a test, which then comes before.
    fn add(&mut self, mut found: Found) {
        // Any other command could do harm to a reader who copies it.
        let replay = found.finding.replay.take();
        found.finding.replay = replay.filter(|command| is_own_command(command));
        let test = self.tests.last().map(|test| &test.full_name.name);
        let name = found
            .trace
            .or(test.cloned())
            .unwrap_or_else(|| self.own_name());
        let last = self.last_if(|last| last.name == name, &name);
        match found.known {
            true => last.known.push(found.finding),
            false => last.findings.push(found.finding),
        }
    }

    /// Adds what was printed of a trace that could not be read, after what was found in it.
    fn add_problem(&mut self, diagnostic: Diagnostic) {
        if !diagnostic.is_error() {
            return;
        }
        let (name, own) = (diagnostic.location.file.clone(), self.own_name());
        let is_it = |last: &KeptTrace| [&name, &own].contains(&&last.name);
        let last = self.last_if(is_it, &name);
        last.trace.name = name;
        last.trace.problem = Some(diagnostic.into());
    }

    /// The last trace, if it is the one that is meant, else a new one.
    fn last_if(&mut self, is_it: impl Fn(&KeptTrace) -> bool, name: &str) -> &mut StoredTrace {
        if !self.traces.last().is_some_and(|last| is_it(&last.trace)) {
            let mut new = StoredTrace::default();
            new.trace.name = name.to_owned();
            self.traces.push(new);
        }
        self.traces.last_mut().expect("there is one")
    }

    /// What a trace is called that has no name.
    fn own_name(&self) -> String {
        self.path.display().to_string()
    }

    /// All findings, also those that were known, with what they were found in.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (&StoredTrace, &Finding)> {
        self.traces.iter().flat_map(|trace| {
            let all = trace.all_findings();
            all.map(move |finding| (trace, finding))
        })
    }

    /// What came of a trace as a test, if it is one.
    pub(crate) fn test_of(&self, trace: &StoredTrace) -> Option<&Test> {
        self.tests.get(trace.test?)
    }

    /// Whether it has failed, and would have if nothing were certain (`--deny unconfirmed`).
    pub(crate) fn fails_by_what_is_not_certain(&self) -> bool {
        let is_failed = { self.summary.as_ref() }.is_some_and(|s| s.verdict == "violations");
        // What was printed does not say it. What is not listed may have been certain.
        let is_listed = self.unlisted().findings == 0;
        let mut findings = self.traces.iter().flat_map(|trace| &trace.findings);
        let is_all = is_listed && findings.all(|f| f.certainty == Certainty::Unconfirmed);
        is_failed && (self.run.deny_unconfirmed || is_all)
    }

    /// A path that it names, from here.
    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        Path::new(&self.run.directory).join(name)
    }

    /// Where the events of a trace may be: where the file was then, or the same from here.
    pub(crate) fn places_of(&self, trace: &StoredTrace) -> Vec<PathBuf> {
        let file = trace.trace.file.iter();
        file.flat_map(|file| [self.path_of(file), file.into()])
            .collect()
    }

    /// The source code of a trace: where it was then; or the same from here, if it was
    /// somewhere else.
    pub(crate) fn sources(&self, trace: &StoredTrace, shared: &Shared) -> FileSources {
        let names = trace.trace.directories.iter();
        let then = names.clone().map(|name| self.path_of(name));
        let here = names.map(PathBuf::from).chain([PathBuf::new()]);
        FileSources::of_stored(then.chain(here).collect(), shared)
    }
}

impl StoredTrace {
    /// All findings, also those that were known.
    pub(crate) fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().chain(&self.known)
    }

    /// What it is called.
    pub(crate) fn origin(&self) -> Origin {
        let path = match &*self.trace.name {
            "standard input" => PathBuf::from("-"),
            name => PathBuf::from(name),
        };
        Origin {
            path,
            again: false,
            saved: self.trace.file.as_ref().map(PathBuf::from),
        }
    }

    /// What came of it then, with what was known if somebody else decides about that.
    pub(crate) fn checked(&self, with_known: bool) -> Checked {
        let trace = &self.trace;
        let known = self.known.iter().filter(|_| with_known);
        Checked {
            findings: self.findings.iter().chain(known).cloned().collect(),
            events: trace.events,
            threads: trace.threads,
            objects: trace.objects,
            suppressed: trace.suppressed,
            reasons: trace.reasons.clone(),
            notes: trace.notes.clone(),
            error: trace.problem.as_ref().map(error),
            is_unreadable: trace.problem.as_ref().is_some_and(|p| p.unreadable),
            ..Checked::default()
        }
    }
}

fn error(problem: &KeptProblem) -> TraceError {
    let place = match (problem.line, problem.byte) {
        (Some(line), _) => TracePlace::Line {
            line,
            column: problem.column.unwrap_or(1),
            excerpt: Excerpt {
                text: problem.excerpt.clone().unwrap_or_default(),
                column: problem.mark.unwrap_or(1),
            },
        },
        (None, Some(offset)) => TracePlace::Byte(offset),
        (None, None) => TracePlace::Whole,
    };
    TraceError {
        kind: ErrorKind::Invalid,
        message: problem.message.clone(),
        place,
        lost: problem.lost.clone(),
    }
}

/// The files that are meant by these, each once: files, and of a folder the last run of
/// every command line.
///
/// # Errors
/// If there is no such file, or a folder without any.
pub(crate) fn files(given: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in given {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let inner = path.join("findings");
        let folder = if inner.is_dir() { &inner } else { path };
        let mut found = { folder::latest(folder).into_iter() }
            .map(|run| run.path)
            .collect::<Vec<_>>();
        if found.is_empty() {
            found = others(folder);
        }
        if found.is_empty() {
            bail!("there are no stored findings in {}", path.display());
        }
        files.extend(found);
    }
    // A run that is named twice, or by a file and its folder, was made once.
    let mut known = BTreeSet::new();
    files.retain(|path| known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    Ok(files)
}

/// The flags with which others find what is in these, if they can: files are not looked
/// through.
pub(crate) fn flags(given: &[PathBuf], shared: &Shared) -> Option<String> {
    let folder = match (given, &shared.store.out_dir) {
        ([], None) => return Some(String::new()),
        ([], Some(folder)) => folder,
        ([folder], _) if folder.join("findings").is_dir() => folder,
        _ => return None,
    };
    Some(format!(" --out-dir {}", shell_word(folder)))
}

/// Files that may have been written with `--message-format json`.
fn others(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = { entries.map(|entry| entry.path()) }
        .filter(|path| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            path.is_file() && matches!(ending, Some("json" | "jsonl"))
        })
        .collect();
    files.sort();
    files
}

/// The runs that are kept here, the last one first.
///
/// # Errors
/// If none are, or nothing is kept here.
pub(crate) fn kept(shared: &Shared) -> Result<Vec<Entry>> {
    let Some(place) = Place::of(shared, None) else {
        bail!(
            "no findings are kept here: there is no Cargo.toml, and `--out-dir` does not say where"
        );
    };
    let folder = place.findings();
    let runs = folder::runs(&folder);
    if runs.is_empty() {
        bail!("no findings are kept in {}", folder.display());
    }
    Ok(runs)
}
