//! `commute report merge`: what several runs have found, as one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;
use commute_explore::{Report, Shard, Verdict};
use commute_model::Finding;
use commute_report::stored::{self, Line, Test};

use super::test_line::report;
use crate::cli::{MergeArgs, Shared};
use crate::examine::{Checked, Origin};
use crate::exit::Exit;
use crate::output::Output;
use crate::program::test::line;
use crate::results::Results;
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
    merged.tell(&mut results, output);
    results.finish("report merge", Ok(()), output)
}

/// What is in all files.
#[derive(Default)]
struct Merged {
    /// By fingerprint, in the order in which they come.
    findings: Vec<Finding>,
    /// By name, in that order.
    tests: Vec<(String, Vec<Test>)>,
    /// Fingerprints of those that were known everywhere.
    known: BTreeSet<String>,
    checked: Checked,
    analyses: Vec<String>,
    /// Where the runs were made.
    directories: Vec<PathBuf>,
}

impl Merged {
    fn read(&mut self, path: &Path) -> Result<()> {
        let mut is_over = false;
        lines::read(path, &mut |_, line| match line {
            Line::Finding(found) if found.known => self.add_known(found.finding),
            Line::Finding(found) => self.add_finding(found.finding),
            Line::Test(test) => self.add_test(test),
            Line::Summary(summary) => {
                is_over = true;
                self.add_summary(summary);
            }
            Line::Run(run) => self.add_directory(PathBuf::from(run.directory)),
            Line::Trace(trace) => self.checked.suppressed += trace.suppressed,
            Line::Baseline | Line::Known(_) | Line::Other => {}
        })?;
        let name = path.display();
        if !is_over {
            self.doubt(format!("{name} has no summary: the run was not over"));
        }
        Ok(())
    }

    /// What is not known to all is not known.
    fn add_known(&mut self, finding: Finding) {
        let same = |known: &Finding| known.fingerprint == finding.fingerprint;
        if !self.findings.iter().any(same) {
            self.known.insert(finding.fingerprint);
        }
    }

    fn add_directory(&mut self, directory: PathBuf) {
        if !self.directories.contains(&directory) {
            self.directories.push(directory);
        }
    }

    fn add_finding(&mut self, finding: Finding) {
        self.known.remove(&finding.fingerprint);
        let same = |known: &&mut Finding| known.fingerprint == finding.fingerprint;
        match self.findings.iter_mut().find(same) {
            Some(known) => known.count += finding.count,
            None => self.findings.push(finding),
        }
    }

    fn add_test(&mut self, test: Test) {
        match self.tests.iter_mut().find(|(name, _)| *name == test.name) {
            Some((_, parts)) => parts.push(test),
            None => self.tests.push((test.name.clone(), vec![test])),
        }
    }

    fn add_summary(&mut self, summary: stored::Summary) {
        self.checked.events += summary.events;
        self.checked.threads += summary.threads;
        self.checked.objects += summary.objects;
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
        if !self.checked.reasons.contains(&reason) {
            self.checked.reasons.push(reason);
        }
    }

    fn tell(mut self, results: &mut Results, output: &mut Output) {
        for (name, parts) in std::mem::take(&mut self.tests) {
            let report = join(&parts);
            line::print(&name, &report, output);
            if report.verdict == Verdict::Inconclusive {
                for reason in &report.reasons {
                    self.doubt(format!("{name}: {reason}"));
                }
            }
        }
        let origin = Origin {
            path: PathBuf::from("merged"),
            again: false,
            saved: None,
        };
        self.checked.findings = self.findings;
        self.directories.push(PathBuf::new());
        let sources = FileSources::below(&self.directories);
        results.add(&origin, self.checked, sources, false, output);
    }
}

/// What came of all parts of a test.
fn join(parts: &[Test]) -> Report {
    let mut shards: BTreeMap<Shard, Report> = BTreeMap::new();
    let mut reports = Vec::new();
    let mut odd = Vec::new();
    for part in parts {
        let report = Report {
            shard: None,
            ..report(part)
        };
        match part.shard.as_deref().map(str::parse::<Shard>) {
            None => reports.push(report),
            Some(Ok(shard)) => {
                // Who did the same twice has not done more.
                shards.entry(shard).or_insert(report);
            }
            Some(Err(_)) => odd.push("a shard has no number".to_owned()),
        }
    }
    let whole = reports.into_iter().max_by_key(|report| report.verdict);
    let of = shards.keys().next().map_or(0, |shard| shard.of);
    if shards.keys().any(|shard| shard.of != of) {
        odd.push("it was divided in different ways".to_owned());
    }
    let missing = (0..of).map(|index| Shard { index, of });
    let missing = missing.filter(|shard| !shards.contains_key(shard));
    odd.extend(missing.map(|shard| format!("shard {shard} is missing")));
    let joined = Report::join(shards.into_values().collect());
    match whole {
        // What explored everything needs no shards.
        Some(whole) if whole.verdict >= joined.verdict || !odd.is_empty() => whole,
        _ => doubted(joined, odd),
    }
}

fn doubted(mut report: Report, reasons: Vec<String>) -> Report {
    if !reasons.is_empty() && report.verdict != Verdict::Failed {
        report.verdict = Verdict::Inconclusive;
        report.reasons.extend(reasons);
    }
    report
}
