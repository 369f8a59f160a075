//! The results of runs that are over, to be shown again.

use commute_report::{Looked, Tests};

use super::{NOT_CERTAIN, NOT_CONFIDENT, Results};
use crate::cli::Shared;
use crate::exit::Exit;
use crate::store::read::StoredRun;

impl Results {
    /// Those of stored runs, before anything is added.
    pub(crate) fn of_stored(runs: &[StoredRun], shared: &Shared) -> Results {
        let mut analyses: Vec<String> = Vec::new();
        for name in summaries(runs).flat_map(|summary| &summary.analyses) {
            if !analyses.contains(name) {
                analyses.push(name.clone());
            }
        }
        let mut results = Results::by(analyses, shared);
        results.seconds = Some(summaries(runs).map(|summary| summary.seconds).sum());
        // What failed the run then fails it now, also if it was not certain.
        results.deny_unconfirmed = runs.iter().any(fails_by_what_is_not_certain);
        if runs.iter().any(|run| !run.tests.is_empty()) {
            results.summary.tests = Some(tests(runs));
        }
        let mut looked = summaries(runs).filter_map(|summary| {
            Some(Looked {
                crates: summary.crates?,
                functions: summary.functions,
                regions: summary.regions,
                gaps: summary.gaps,
            })
        });
        results.summary.looked = looked.next().map(|first| looked.fold(first, sum));
        results
    }

    /// What the runs said of themselves, after all of their traces were added.
    pub(crate) fn judge_as_before(&mut self, runs: &[StoredRun], shared: &Shared) {
        for run in runs {
            let known = run.traces.iter().map(|trace| trace.known.len() as u64);
            if !shared.store.has_baseline() {
                self.add_known(known.sum());
            }
            let Some(summary) = &run.summary else {
                let name = run.path.display();
                self.doubt(&format!("{name} has no summary: the run was not over"));
                continue;
            };
            for reason in &summary.reasons {
                let is_of_findings = [NOT_CERTAIN, NOT_CONFIDENT].contains(&reason.as_str());
                if !is_of_findings && !self.summary.reasons.contains(reason) {
                    self.doubt(reason);
                }
            }
            if run.run.left_out > 0 {
                let left_out = run.run.left_out;
                self.doubt(&format!(
                    "{left_out} more findings were too many to be stored"
                ));
            }
            self.failed |= run.run.exit == Exit::BadInput.code();
        }
    }
}

fn summaries(runs: &[StoredRun]) -> impl Iterator<Item = &commute_report::stored::Summary> {
    runs.iter().filter_map(|run| run.summary.as_ref())
}

fn fails_by_what_is_not_certain(run: &StoredRun) -> bool {
    let is_failed = run
        .summary
        .as_ref()
        .is_some_and(|s| s.verdict == "violations");
    let mut findings = run.traces.iter().flat_map(|trace| &trace.findings);
    is_failed && findings.all(|f| f.certainty == commute_model::Certainty::Unconfirmed)
}

fn tests(runs: &[StoredRun]) -> Tests {
    let mut tests = Tests::default();
    for run in runs {
        tests.ignored += run.run.ignored;
        for test in &run.tests {
            *match &*test.verdict {
                "passed" => &mut tests.passed,
                "failed" => &mut tests.failed,
                _ => &mut tests.inconclusive,
            } += 1;
        }
    }
    tests
}

fn sum(a: Looked, b: Looked) -> Looked {
    Looked {
        crates: a.crates + b.crates,
        functions: a.functions + b.functions,
        regions: a.regions + b.regions,
        gaps: a.gaps + b.gaps,
    }
}
