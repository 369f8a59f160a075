//! `commute report merge`: what several runs have found, as one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use commute_explore::{Report, Shard, Verdict};
use commute_model::Finding;
use commute_report::stored::{self, Line, Test};

use crate::cli::{MergeArgs, Shared};
use crate::examine::{Checked, Origin};
use crate::exit::Exit;
use crate::output::Output;
use crate::program::test::line;
use crate::results::Results;
use crate::sources::FileSources;

/// A longer line is none of ours.
const LONGEST_LINE: u64 = 64 << 20;

/// Joins what several runs wrote with `--message-format json`.
pub(crate) fn merge(args: &MergeArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let mut merged = Merged::default();
    for path in &args.files {
        merged.read(path)?;
    }
    let mut results = Results::by(std::mem::take(&mut merged.analyses), shared);
    results.prepare_documents(shared)?;
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
    checked: Checked,
    analyses: Vec<String>,
}

impl Merged {
    fn read(&mut self, path: &Path) -> Result<()> {
        let name = path.display();
        let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
        let mut reader = BufReader::new(file);
        let (mut text, mut is_over) = (String::new(), false);
        for number in 1.. {
            text.clear();
            let read = (&mut reader).take(LONGEST_LINE).read_line(&mut text);
            if read.with_context(|| format!("{name}:{number}:1: cannot be read"))? == 0 {
                break;
            }
            if text.trim().is_empty() {
                continue;
            }
            let line = stored::read(text.trim_end()).map_err(|error| {
                let stored::Unreadable { column, message } = error;
                anyhow!("{name}:{number}:{column}: {message}")
            })?;
            match line {
                Line::Finding(finding, _) => self.add_finding(*finding),
                Line::Test(test) => self.add_test(test),
                Line::Summary(summary) => {
                    is_over = true;
                    self.add_summary(summary);
                }
                Line::Other => {}
            }
        }
        if !is_over {
            self.doubt(format!("{name} has no summary: the run was not over"));
        }
        Ok(())
    }

    fn add_finding(&mut self, finding: Finding) {
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
        let sources = FileSources::below(&[PathBuf::new()]);
        results.add(&origin, self.checked, sources, false, output);
    }
}

/// What came of all parts of a test.
fn join(parts: &[Test]) -> Report {
    let mut shards: BTreeMap<Shard, Report> = BTreeMap::new();
    let mut reports = Vec::new();
    let mut odd = Vec::new();
    for part in parts {
        let report = report(part);
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

fn report(test: &Test) -> Report {
    Report {
        verdict: match test.verdict.as_str() {
            "passed" => Verdict::Passed,
            "failed" => Verdict::Failed,
            _ => Verdict::Inconclusive,
        },
        shard: None,
        executions: test.executions,
        redundant: test.redundant,
        outcomes: test.outcomes,
        shortening: test.shortening,
        learning: test.learning,
        seconds: test.seconds,
        reasons: test.reasons.clone(),
        notes: test.notes.clone(),
        failures: Vec::new(),
        composed: (test.histories > 0).then_some(commute_explore::Composed {
            histories: test.histories,
            pruned: test.pruned,
        }),
    }
}
