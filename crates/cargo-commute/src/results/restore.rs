//! The results of runs that are over, to be shown again.

use commute_report::{Configured, Looked, Observed, Tests};

use super::{Results, add_races, is_of_findings, not_read, not_readable};
use crate::cli::Shared;
use crate::exit::Exit;
use crate::store::read::{StoredRun, StoredTrace};

impl Results {
    /// Those of stored runs, before anything is added, with what came of their tests.
    pub(crate) fn of_stored(runs: &[StoredRun], tests: Option<Tests>, shared: &Shared) -> Results {
        let mut analyses: Vec<String> = Vec::new();
        for name in summaries(runs).flat_map(|summary| &summary.analyses) {
            if !analyses.contains(name) {
                analyses.push(name.clone());
            }
        }
        let mut results = Results::by(analyses, shared);
        results.seconds = Some(summaries(runs).map(|summary| summary.seconds).sum());
        // What failed the run then fails it now, also if it was not certain.
        results.deny_unconfirmed = runs.iter().any(StoredRun::fails_by_what_is_not_certain);
        results.summary.tests = tests;
        let mut looked = summaries(runs).filter_map(|summary| {
            Some(Looked {
                crates: summary.crates?,
                functions: summary.functions,
                regions: summary.regions,
                gaps: summary.gaps,
            })
        });
        for summary in summaries(runs) {
            add_races(&mut results.summary, summary.races.as_ref());
        }
        let configured = summaries(runs).filter_map(|summary| {
            // The known ones are counted anew.
            let of_run = summary.configured.clone()?;
            Some(Configured { known: 0, ..of_run }).filter(|all| all.suppressed > 0)
        });
        results.summary.configured = configured.reduce(Configured::and);
        results.summary.looked = looked.next().map(|first| looked.fold(first, sum));
        let observed = summaries(runs).filter_map(|summary| {
            let kinds = summary.observed.as_ref()?;
            Some(Observed::of_json(kinds, &summary.not_observed))
        });
        results.summary.observed = observed.reduce(Observed::and);
        results
    }

    /// What the runs said of themselves, after all of their traces were added, without
    /// reasons that do not hold any more.
    pub(crate) fn judge_as_before(
        &mut self,
        runs: &[StoredRun],
        is_settled: &dyn Fn(&str) -> bool,
    ) {
        self.count_as_before(runs);
        for run in runs {
            let Some(summary) = &run.summary else {
                let name = run.path.display();
                self.doubt(&format!("{name} has no summary: the run was not over"));
                continue;
            };
            // A run that failed has said why before anything else.
            let has_read_all = run.traces.iter().all(|t| t.trace.problem.is_none());
            let mut has_failed = has_read_all && run.run.exit == Exit::BadInput.code();
            for reason in &summary.reasons {
                let is_settled = is_of_findings(reason) || is_settled(reason);
                let is_told = run.traces.iter().any(|trace| is_of(trace, reason));
                if !is_settled && !is_told && !self.summary.reasons.contains(reason) {
                    match std::mem::take(&mut has_failed) {
                        true => self.fail(reason),
                        false => self.doubt(reason),
                    }
                }
            }
            self.count_unlisted(run, &summary.verdict);
            self.failed |= run.run.exit == Exit::BadInput.code();
        }
    }

    /// What a run found and its file does not list was found all the same.
    fn count_unlisted(&mut self, run: &StoredRun, verdict: &str) {
        let unlisted = run.unlisted();
        self.summary.findings += unlisted.findings;
        self.add_suppressed(unlisted.suppressed);
        self.add_known(unlisted.known);
        if verdict == "violations" {
            self.failing += unlisted.findings;
        }
        if let Some(reason) = run.unlisted_reason() {
            self.doubt(&reason);
        }
    }

    /// A run counts what it looked at; not every file says it of each trace.
    fn count_as_before(&mut self, runs: &[StoredRun]) {
        let counts = runs.iter().map(|run| match &run.summary {
            Some(summary) => [summary.events, summary.threads, summary.objects],
            None => { run.traces.iter() }
                .map(|trace| &trace.trace)
                .map(|trace| [trace.events, trace.threads, trace.objects])
                .fold([0; 3], add),
        });
        let summary = &mut self.summary;
        [summary.events, summary.threads, summary.objects] = counts.fold([0; 3], add);
    }
}

/// Whether a trace says this, or the run did for it: of several, a run names the one.
fn is_of(trace: &StoredTrace, reason: &str) -> bool {
    let trace = &trace.trace;
    let own = { reason.strip_prefix(&*trace.name) }.and_then(|rest| rest.strip_prefix(": "));
    let is_known = |known: &String| [Some(reason), own].contains(&Some(known));
    let problems = [not_read, not_readable];
    let is_of_problem = || problems.iter().any(|of| reason == of(&trace.name));
    trace.reasons.iter().any(is_known) || trace.problem.is_some() && is_of_problem()
}

fn add(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    std::array::from_fn(|i| a[i].saturating_add(b[i]))
}

fn summaries(runs: &[StoredRun]) -> impl Iterator<Item = &commute_report::stored::Summary> {
    runs.iter().filter_map(|run| run.summary.as_ref())
}

fn sum(a: Looked, b: Looked) -> Looked {
    Looked {
        crates: a.crates + b.crates,
        functions: a.functions + b.functions,
        regions: a.regions + b.regions,
        gaps: a.gaps + b.gaps,
    }
}
