//! `commute report merge`: what several runs have found, as one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use commute_detect::Scenes;
use commute_explore::Verdict;
use commute_model::Finding;
use commute_report::KeptTrace;
use commute_report::stored::{self, Found, Line, Test};
use commute_spec::Library;

use super::shards::join;
use crate::cli::{MergeArgs, Shared};
use crate::examine::{Checked, Origin};
use crate::exit::Exit;
use crate::output::Output;
use crate::program::test::line;
use crate::results::Results;
use crate::scenes;
use crate::sources::FileSources;
use crate::store::{lines, read};

/// Joins what several runs wrote.
pub(super) fn run(args: &MergeArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let mut merged = Merged::default();
    for path in read::files(&args.files)? {
        merged.read(&path)?;
    }
    let mut results = Results::by(std::mem::take(&mut merged.analyses), shared);
    results.prepare_documents(shared)?;
    results.add_known(merged.known.len() as u64);
    let library = Arc::new(crate::library::load(&shared.spec, output)?);
    merged.tell(&library, shared, &mut results, output);
    results.finish("report merge", Ok(()), output)
}

/// What is in all files.
#[derive(Default)]
struct Merged {
    /// What was looked at, in the order in which it comes.
    traces: Vec<MergedTrace>,
    /// By name, in that order.
    tests: Vec<(String, Vec<Test>)>,
    /// Fingerprints of those that were found.
    found: BTreeSet<String>,
    /// Fingerprints of those that were known everywhere.
    known: BTreeSet<String>,
    /// What is not of one trace.
    rest: Checked,
    analyses: Vec<String>,
    /// Where the runs were made, and where their sources were.
    directories: Vec<PathBuf>,
}

/// A trace, a program or a test, of all runs that looked at it.
struct MergedTrace {
    name: String,
    /// Where its events are, if a file has them.
    files: Vec<PathBuf>,
    checked: Checked,
    /// Whether something in it was found elsewhere before.
    is_joined: bool,
}

impl Merged {
    fn read(&mut self, path: &Path) -> Result<()> {
        let mut is_over = false;
        let mut directory = PathBuf::new();
        let name = path.display().to_string();
        lines::read(path, &mut |_, line| match line {
            Line::Finding(found) if found.known => self.add_known(found.finding),
            Line::Finding(found) => self.add_finding(&name, *found),
            Line::Test(test) => self.add_test(test),
            Line::Summary(summary) => {
                is_over = true;
                self.add_summary(summary);
            }
            Line::Run(run) => {
                directory = PathBuf::from(run.directory);
                self.add_directory(directory.clone());
            }
            Line::Trace(trace) => self.add_trace(*trace, &directory),
            Line::Baseline | Line::Known(_) | Line::Other => {}
        })?;
        if !is_over {
            self.doubt(format!("{name} has no summary: the run was not over"));
        }
        Ok(())
    }

    /// The one of this name.
    fn trace(&mut self, name: &str) -> &mut MergedTrace {
        let known = self.traces.iter().position(|trace| trace.name == name);
        let place = known.unwrap_or_else(|| {
            self.traces.push(MergedTrace {
                name: name.to_owned(),
                files: Vec::new(),
                checked: Checked::default(),
                is_joined: false,
            });
            self.traces.len() - 1
        });
        &mut self.traces[place]
    }

    fn add_trace(&mut self, trace: KeptTrace, directory: &Path) {
        for sources in &trace.directories {
            self.add_directory(directory.join(sources));
        }
        let merged = self.trace(&trace.name);
        merged.checked.suppressed += trace.suppressed;
        merged
            .files
            .extend(trace.file.map(|file| directory.join(file)));
    }

    /// What is not known to all is not known.
    fn add_known(&mut self, finding: Finding) {
        if !self.found.contains(&finding.fingerprint) {
            self.known.insert(finding.fingerprint);
        }
    }

    fn add_directory(&mut self, directory: PathBuf) {
        if !self.directories.contains(&directory) {
            self.directories.push(directory);
        }
    }

    /// Adds a finding of the trace that the file names, or of the only one in it: a test
    /// that the finding is about, else the file.
    fn add_finding(&mut self, file: &str, found: Found) {
        let Found { finding, trace, .. } = found;
        self.known.remove(&finding.fingerprint);
        let about = finding.title.split('`').nth(1).unwrap_or_default();
        let test = self.tests.iter().find(|(name, _)| name == about);
        let name = trace.or_else(|| Some(test?.0.clone()));
        let name = name.as_deref().unwrap_or(file);
        if self.found.insert(finding.fingerprint.clone()) {
            self.trace(name).checked.findings.push(finding);
            return;
        }
        self.trace(name).is_joined = true;
        let all = self.traces.iter_mut();
        let mut all = all.flat_map(|trace| &mut trace.checked.findings);
        if let Some(known) = all.find(|known| known.fingerprint == finding.fingerprint) {
            known.count += finding.count;
        }
    }

    fn add_test(&mut self, test: Test) {
        match self.tests.iter_mut().find(|(name, _)| *name == test.name) {
            Some((_, parts)) => parts.push(test),
            None => self.tests.push((test.name.clone(), vec![test])),
        }
    }

    fn add_summary(&mut self, summary: stored::Summary) {
        self.rest.events += summary.events;
        self.rest.threads += summary.threads;
        self.rest.objects += summary.objects;
        for analysis in summary.analyses {
            if !self.analyses.contains(&analysis) {
                self.analyses.push(analysis);
            }
        }
        for reason in summary.reasons {
            self.doubt(reason);
        }
    }

    fn doubt(&mut self, reason: String) {
        if !self.rest.reasons.contains(&reason) {
            self.rest.reasons.push(reason);
        }
    }

    fn tell(
        mut self,
        library: &Arc<Library>,
        shared: &Shared,
        results: &mut Results,
        output: &mut Output,
    ) {
        for (name, parts) in std::mem::take(&mut self.tests) {
            let report = join(&parts);
            line::print(&name, &report, output);
            let reasons = report.reasons.iter();
            let mut reasons: Vec<String> = match report.verdict {
                Verdict::Inconclusive => reasons.map(|why| format!("{name}: {why}")).collect(),
                Verdict::Passed | Verdict::Failed => Vec::new(),
            };
            let checked = &mut self.trace(&name).checked;
            checked.seconds = Some(report.seconds);
            if report.verdict == Verdict::Failed && checked.findings.is_empty() {
                reasons.push(format!(
                    "{name}: it failed, and why is in none of the files"
                ));
            }
            checked.reasons = reasons;
            // A reason is told once.
            let known = checked.reasons.clone();
            self.rest.reasons.retain(|reason| !known.contains(reason));
        }
        self.directories.push(PathBuf::new());
        let several = self.traces.len() > 1;
        for trace in std::mem::take(&mut self.traces) {
            let mut checked = trace.checked;
            // All that was found in it is told of others: it is not clean by itself.
            if trace.is_joined && checked.findings.is_empty() {
                self.rest.suppressed += checked.suppressed;
                continue;
            }
            let file = trace.files.iter().find(|file| file.is_file());
            if let (Some(file), true) = (file, shared.html.is_some()) {
                let scenes = Scenes::new(library.clone());
                scenes::read_again(&mut checked.findings, file, scenes, shared);
            }
            let several = several && checked.seconds.is_none();
            self.add(&trace.name, checked, several, results, output);
        }
        match self.rest.reasons.is_empty() {
            true => results.add_numbers(&self.rest),
            false => {
                let rest = std::mem::take(&mut self.rest);
                self.add("merged", rest, false, results, output);
            }
        }
    }

    fn add(
        &self,
        name: &str,
        checked: Checked,
        several: bool,
        results: &mut Results,
        output: &mut Output,
    ) {
        let origin = Origin {
            path: PathBuf::from(name),
            again: false,
            saved: None,
        };
        let sources = FileSources::below(&self.directories);
        results.add(&origin, checked, sources, several, output);
    }
}
