//! Several runs as one: what is the same in two of them is one.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use commute_explore::{Report, Verdict};
use commute_model::Finding;
use commute_report::{TestName, Tests};

use super::identity::Identity;
use super::shards::Parts;
use super::test_line::{UNEXPLAINED, is_reason_of, of_test};
use crate::examine::Checked;
use crate::store::read::{StoredRun, StoredTrace};

/// What all runs have looked at and found.
#[derive(Default)]
pub(super) struct Joined {
    /// What was looked at, in the order in which it comes.
    pub traces: Vec<JoinedTrace>,
    /// Which of the traces each is.
    places: BTreeMap<Identity, usize>,
    /// Of the findings of each test, and of all that is none: the trace, and the place there,
    /// by fingerprint.
    told: BTreeMap<(Option<TestName>, String), (usize, usize)>,
    /// What came of each test.
    pub tests: Vec<(TestName, Report)>,
    /// Fingerprints of those that were found.
    found: BTreeSet<String>,
    /// Fingerprints of those that were known wherever they were found.
    pub known: BTreeSet<String>,
    /// Where the runs were made, and where their sources were.
    pub directories: Vec<PathBuf>,
    /// How many findings of what is not told were suppressed.
    pub suppressed: u64,
    /// How many tests were not to run.
    pub ignored: u64,
}

/// A trace, a program or a test, of all runs that looked at it.
pub(super) struct JoinedTrace {
    pub name: String,
    identity: Identity,
    /// Where its events may be.
    pub files: Vec<PathBuf>,
    /// Where its sources may be, before all others.
    pub directories: Vec<PathBuf>,
    pub checked: Checked,
    /// Whether something in it was found elsewhere before.
    has_twins: bool,
    /// Whether something in it was known, or may have been.
    has_known: bool,
}

impl Joined {
    pub(super) fn of(runs: &[StoredRun], with_known: bool) -> Joined {
        let mut joined = Joined::default();
        for run in runs {
            joined.add_directory(PathBuf::from(&run.run.directory));
            for trace in &run.traces {
                joined.add_trace(run, trace, with_known);
            }
        }
        joined.directories.push(PathBuf::new());
        joined.add_tests(runs);
        joined.ignored = ignored(runs);
        joined.leave_out_what_is_told_elsewhere();
        joined.tell_names_apart();
        joined
    }

    fn add_directory(&mut self, directory: PathBuf) {
        if !self.directories.contains(&directory) {
            self.directories.push(directory);
        }
    }

    fn add_trace(&mut self, run: &StoredRun, trace: &StoredTrace, with_known: bool) {
        let sources = trace.trace.directories.iter();
        let sources: Vec<PathBuf> = sources.map(|sources| run.path_of(sources)).collect();
        for directory in &sources {
            self.add_directory(directory.clone());
        }
        let checked = trace.checked(with_known);
        let unlisted = run.unlisted();
        let allows_unlisted = unlisted.known + unlisted.suppressed > 0;
        let place = self.place(&trace.trace.name, Identity::of(run, trace));
        let joined = &mut self.traces[place];
        joined.directories.push(PathBuf::from(&run.run.directory));
        joined.directories.extend(sources);
        joined.files.extend(run.places_of(trace));
        joined.checked.suppressed += checked.suppressed;
        joined.has_known |= !trace.known.is_empty() || allows_unlisted;
        // One is enough to know that not all of it was seen.
        joined.checked.error = joined.checked.error.take().or(checked.error);
        extend(&mut joined.checked.reasons, checked.reasons);
        extend(&mut joined.checked.notes, checked.notes);
        for finding in checked.findings {
            self.add_finding(place, finding);
        }
        if !with_known {
            // What is not known to all is not known.
            let known = trace.known.iter().map(|finding| &finding.fingerprint);
            let known = known.filter(|fingerprint| !self.found.contains(*fingerprint));
            self.known.extend(known.cloned());
        }
    }

    fn place(&mut self, name: &str, identity: Identity) -> usize {
        let next = self.traces.len();
        *{ self.places.entry(identity.clone()) }.or_insert_with(|| {
            self.traces.push(JoinedTrace {
                name: name.to_owned(),
                files: Vec::new(),
                directories: Vec::new(),
                checked: Checked {
                    test: identity.test().cloned(),
                    ..Checked::default()
                },
                identity,
                has_twins: false,
                has_known: false,
            });
            next
        })
    }

    fn add_finding(&mut self, place: usize, finding: Finding) {
        self.known.remove(&finding.fingerprint);
        self.found.insert(finding.fingerprint.clone());
        let checked = &mut self.traces[place].checked;
        // Tests of one name may fail alike. What one does says nothing of the other.
        let key = (checked.test.clone(), finding.fingerprint.clone());
        match self.told.entry(key) {
            Entry::Vacant(new) => {
                new.insert((place, checked.findings.len()));
                checked.findings.push(finding);
            }
            Entry::Occupied(known) => {
                let (trace, finding_there) = *known.get();
                self.traces[trace].checked.findings[finding_there].count += finding.count;
                self.traces[place].has_twins = true;
            }
        }
    }

    /// What a part of a test says of itself does not hold of the whole.
    fn add_tests(&mut self, runs: &[StoredRun]) {
        for parts in Parts::of(runs) {
            let (full_name, report) = (parts.name, parts.join());
            let name = &full_name.name;
            let place = self.place(name, Identity::Test(full_name.clone()));
            let trace = &mut self.traces[place];
            let is_explained = trace.is_explained();
            let checked = &mut trace.checked;
            checked.seconds = Some(report.seconds);
            checked.reasons = match report.verdict {
                Verdict::Inconclusive => of_test(full_name, &report.reasons),
                Verdict::Failed if !is_explained => of_test(full_name, &[UNEXPLAINED.to_owned()]),
                Verdict::Passed | Verdict::Failed => Vec::new(),
            };
            self.tests.push((full_name.clone(), report));
        }
    }

    /// A trace of which all findings are told of others is not clean by itself, and there
    /// is nothing else to say of it.
    fn leave_out_what_is_told_elsewhere(&mut self) {
        let is_told = |trace: &mut JoinedTrace| {
            let checked = &trace.checked;
            let is_sound = checked.error.is_none() && checked.reasons.is_empty();
            trace.has_twins && checked.findings.is_empty() && is_sound && checked.seconds.is_none()
        };
        let told = self.traces.extract_if(.., is_told);
        self.suppressed = told.map(|trace| trace.checked.suppressed).sum();
    }

    /// Files in several folders may have one name, which then says nothing.
    fn tell_names_apart(&mut self) {
        let mut seen = BTreeSet::new();
        let files = { self.traces.iter() }.filter(|trace| trace.identity.test().is_none());
        let names = files.map(|trace| &trace.name);
        let twice = names.filter(|name| !seen.insert(*name)).cloned();
        let twice: BTreeSet<String> = twice.collect();
        for trace in &mut self.traces {
            if twice.contains(&trace.name)
                && let Some(path) = trace.identity.path_from_here()
            {
                trace.name = path;
            }
        }
    }

    /// How many tests came to what.
    pub(super) fn counts(&self) -> Option<Tests> {
        let mut tests = Tests {
            ignored: self.ignored,
            ..Tests::default()
        };
        for (_, report) in &self.tests {
            *match report.verdict {
                Verdict::Passed => &mut tests.passed,
                Verdict::Failed => &mut tests.failed,
                Verdict::Inconclusive => &mut tests.inconclusive,
            } += 1;
        }
        (!self.tests.is_empty()).then_some(tests)
    }

    /// Whether a run gave this reason for a test: of the whole test there may be others.
    pub(super) fn is_of_test(&self, reason: &str) -> bool {
        let mut tests = self.tests.iter();
        tests.any(|(test, _)| is_reason_of(test, reason))
    }
}

impl JoinedTrace {
    /// Whether it is known what was found in it, here or elsewhere.
    fn is_explained(&self) -> bool {
        let checked = &self.checked;
        let is_told = !checked.findings.is_empty() || self.has_twins;
        is_told || self.has_known || checked.suppressed > 0
    }
}

/// How many tests were not to run: those of all parts are the same.
fn ignored(runs: &[StoredRun]) -> u64 {
    let is_part = |run: &&StoredRun| run.tests.iter().any(|test| test.shard.is_some());
    let (parts, whole): (Vec<&StoredRun>, Vec<&StoredRun>) = runs.iter().partition(is_part);
    let parts = parts.iter().map(|run| run.run.ignored).max();
    let whole: u64 = whole.iter().map(|run| run.run.ignored).sum();
    whole + parts.unwrap_or_default()
}

/// Adds what is not there.
fn extend(all: &mut Vec<String>, more: Vec<String>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}
