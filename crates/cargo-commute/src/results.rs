//! What came of the traces of a run: printed, counted, judged, kept.

#[cfg(unix)]
mod restore;

#[cfg(unix)]
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use commute_model::{Certainty, Finding};
use commute_report::{Configured, Looked, RaceTotals, Summary, Tests, Verdict, clip};
#[cfg(unix)]
use commute_report::{Observed, Unobserved};
use commute_spec::Library;

use crate::baseline::Baseline;
use crate::cli::{self, AnalysisArgs, Shared};
use crate::documents::{Documents, Trouble};
use crate::examine::{Checked, Origin};
use crate::exit::Exit;
use crate::output::Output;
use crate::passes::Plan;
use crate::sources::FileSources;
use crate::store::keep::Keep;
use crate::suppress::Suppressions;
use crate::trace::{name, tell};
use crate::unused::Unused;

/// Why a run is inconclusive of which nothing is certain.
const NOT_CERTAIN: &str =
    "what was found is not certain (`--deny unconfirmed` makes it fail the run)";
/// The same of source code.
const NOT_CONFIDENT: &str = "what was found is of low confidence";

/// Whether it is for what was found that a run is inconclusive, and not for what was not
/// looked at.
#[cfg(unix)]
pub(crate) fn is_of_findings(reason: &str) -> bool {
    [NOT_CERTAIN, NOT_CONFIDENT].contains(&reason)
}

/// Why a run is inconclusive that has not seen all of a trace.
fn not_read(trace: &str) -> String {
    format!("{trace} was not read to its end")
}

/// Why a run is inconclusive that has seen nothing of a trace, because there is no such
/// file or the system does not let us read it.
fn not_readable(trace: &str) -> String {
    format!("{trace} could not be read")
}

/// The results of a run so far.
pub(crate) struct Results {
    started: Instant,
    summary: Summary,
    documents: Documents,
    suppressions: Suppressions,
    baseline: Baseline,
    /// The configuration file, if both come from there.
    configured: cli::Configured,
    /// What is kept of it.
    keep: Option<Keep>,
    /// How long it took, if it is over already.
    seconds: Option<f64>,
    library: Arc<Library>,
    unused: Unused,
    /// How many findings may still be printed.
    room: usize,
    deny_unconfirmed: bool,
    fail_fast: bool,
    /// Whether something could not be used to its end.
    failed: bool,
    /// What documents say of the whole run, next to its traces.
    trouble: Trouble,
    /// How many findings fail the run.
    failing: u64,
    /// How many traces there are, and how many of them could not be read at all.
    traces: [u64; 2],
}

impl Results {
    /// No results yet.
    pub(crate) fn new(args: &AnalysisArgs, shared: &Shared) -> Results {
        let analyses = args.analyses().into_iter();
        let analyses = analyses.map(|a| a.name().to_owned()).collect();
        Results {
            fail_fast: args.fail_fast,
            ..Results::by(analyses, shared)
        }
    }

    /// The same, of tests.
    #[cfg(unix)]
    pub(crate) fn of_tests(engine: &str, shared: &Shared) -> Results {
        let mut results = Results::by(vec![engine.to_owned()], shared);
        results.summary.tests = Some(Tests::default());
        results
    }

    /// What came of each test so far.
    #[cfg(unix)]
    pub(crate) fn tests(&mut self) -> &mut Tests {
        self.summary.tests.get_or_insert_default()
    }

    /// The same, of source code.
    #[cfg(unix)]
    pub(crate) fn of_lint(analyses: Vec<String>, shared: &Shared) -> Results {
        let mut results = Results::by(analyses, shared);
        results.summary.looked = Some(Looked::default());
        results
    }

    /// What of it was looked at.
    #[cfg(unix)]
    pub(crate) fn looked(&mut self, looked: Looked) {
        self.summary.looked = Some(looked);
    }

    /// The same, of what these have found.
    pub(crate) fn by(analyses: Vec<String>, shared: &Shared) -> Results {
        Results {
            started: Instant::now(),
            summary: Summary {
                analyses,
                ..Summary::default()
            },
            documents: Documents::new(shared),
            suppressions: Suppressions::default(),
            baseline: Baseline::default(),
            configured: shared.configured.clone(),
            keep: Keep::new(shared),
            seconds: None,
            library: Arc::new(Library::empty()),
            unused: Unused::default(),
            room: shared.max_findings.unwrap_or(usize::MAX),
            deny_unconfirmed: false,
            fail_fast: false,
            failed: false,
            trouble: Trouble::default(),
            failing: 0,
            traces: [0; 2],
        }
    }

    /// Reads what the command line names, before the work: a file that cannot be
    /// read or written is better known early. `traces` are what will be read.
    ///
    /// # Errors
    /// If there is such a file, or one that makes no sense.
    pub(crate) fn prepare(
        &mut self,
        args: &AnalysisArgs,
        shared: &Shared,
        traces: &[PathBuf],
        output: &mut Output,
    ) -> Result<Plan> {
        let read = traces.iter().chain(&shared.spec).chain(&shared.suppress);
        let read = read.chain(&shared.store.baseline);
        self.documents.open_page(read)?;
        self.open_store(shared)?;
        let library = Arc::new(crate::library::load(&shared.spec, output)?);
        self.library = library.clone();
        let plan = Plan::new(args, library)?;
        self.deny_unconfirmed = plan.deny_unconfirmed;
        self.suppressions = Suppressions::read(shared.suppress.as_deref())?;
        Ok(plan)
    }

    /// The same, of tests.
    ///
    /// # Errors
    /// If there is such a file, or one that makes no sense.
    #[cfg(unix)]
    pub(crate) fn prepare_documents(&mut self, shared: &Shared) -> Result<()> {
        let read = shared.suppress.iter().chain(&shared.store.baseline);
        self.documents.open_page(read)?;
        self.open_store(shared)?;
        self.suppressions = Suppressions::read(shared.suppress.as_deref())?;
        Ok(())
    }

    /// Reads what is known, and makes sure that what comes can be kept.
    fn open_store(&mut self, shared: &Shared) -> Result<()> {
        self.baseline = Baseline::open(&shared.store)?;
        if self.baseline.is_some() {
            self.summary.known = Some(0);
        }
        match &self.keep {
            Some(keep) => keep.prepare(),
            None => Ok(()),
        }
    }

    /// So many more findings are known.
    #[cfg(unix)]
    pub(crate) fn add_known(&mut self, known: u64) {
        if known > 0 {
            *self.summary.known.get_or_insert(0) += known;
        }
    }

    /// Keeps a line of JSON, next to what is found.
    #[cfg(unix)]
    pub(crate) fn keep_line(&mut self, line: impl FnOnce() -> String) {
        if let Some(keep) = &mut self.keep {
            keep.line(line());
        }
    }

    /// Prints and counts what came of a trace; `several` if there are others to
    /// tell it from.
    pub(crate) fn add(
        &mut self,
        origin: &Origin,
        mut checked: Checked,
        sources: FileSources,
        several: bool,
        output: &mut Output,
    ) {
        let path = &origin.path;
        let (unused, library) = (&mut self.unused, &self.library);
        checked
            .findings
            .retain(|finding| !unused.explains(finding, library, &sources));
        let all = checked.findings.len();
        checked
            .findings
            .retain(|finding| !self.suppressions.suppress(finding));
        let suppressed = all - checked.findings.len();
        let known = self.baseline.take_known(&mut checked.findings);
        if self.fail_fast && checked.findings.is_empty() {
            let reason = match (suppressed, known.len()) {
                (0, 0) => None,
                (0, _) => Some("what comes after a known finding was not looked at (--fail-fast)"),
                _ => Some("what comes after a suppressed finding was not looked at (--fail-fast)"),
            };
            checked.reasons.extend(reason.map(str::to_owned));
        }
        if let Some(keep) = &mut self.keep {
            let suppressed = suppressed as u64 + checked.suppressed;
            let directories = sources.directories();
            keep.trace(origin, &checked, &known, suppressed, directories);
        }
        if let Some(count) = &mut self.summary.known {
            *count += known.len() as u64;
        }
        let by_file = checked.suppressed_by_configuration;
        self.count_configured(suppressed as u64, by_file, known.len() as u64);
        if several && self.room > 0 && !checked.findings.is_empty() {
            output.heading(&format!("in {}:", clip(&path.display().to_string(), 400)));
        }
        for finding in checked.findings.iter().take(self.room) {
            output.finding(several.then_some(path), finding, &sources);
        }
        self.summary.suppressed += suppressed as u64 + checked.suppressed;
        count(&mut self.summary, &checked);
        let reasons = checked.reasons.iter().map(|reason| match several {
            true => format!("{}: {reason}", name(path)),
            false => reason.clone(),
        });
        self.summary.reasons.extend(reasons);
        let certain = |f: &&Finding| f.certainty != Certainty::Unconfirmed;
        self.failing += match self.deny_unconfirmed {
            true => checked.findings.len(),
            false => checked.findings.iter().filter(certain).count(),
        } as u64;
        let hidden = checked.findings.len().saturating_sub(self.room);
        checked.findings.truncate(self.room);
        self.room -= checked.findings.len();
        if hidden > 0 {
            output.note(&commute_report::not_shown(hidden as u64));
        }
        for note in &checked.notes {
            output.note(&format!("note: {note}"));
        }
        if let Some(error) = &checked.error {
            self.failed = true;
            tell(error, path, output);
            let reason = if checked.is_unreadable {
                not_readable(&name(path))
            } else {
                not_read(&name(path))
            };
            self.summary.reasons.push(reason);
        }
        self.traces[0] += 1;
        self.traces[1] += u64::from(checked.is_unreadable);
        self.documents.keep(path, checked, hidden as u64, sources);
    }

    /// Counts the findings that the configuration file keeps out of the report: suppressed
    /// ones, those of them that its table `lint` allows, and known ones.
    fn count_configured(&mut self, suppressed: u64, by_file: u64, known: u64) {
        let Some(file) = &self.configured.file else {
            return;
        };
        let count = |counts: bool, count: u64| if counts { count } else { 0 };
        let suppressed = by_file + count(self.configured.suppresses, suppressed);
        let known = count(self.configured.knows, known);
        if suppressed + known > 0 {
            let more = Configured {
                file: file.clone(),
                suppressed,
                known,
            };
            self.summary.configured = Some(match self.summary.configured.take() {
                Some(before) => before.and(more),
                None => more,
            });
        }
    }

    /// As many results, for a report in between: what is added there does not count
    /// here, and documents have to wait.
    #[cfg(unix)]
    pub(crate) fn so_far(&self) -> Results {
        Results {
            started: self.started,
            summary: self.summary.clone(),
            documents: Documents::default(),
            suppressions: self.suppressions.clone(),
            baseline: self.baseline.clone(),
            configured: self.configured.clone(),
            keep: None,
            seconds: None,
            library: self.library.clone(),
            unused: Unused::default(),
            room: self.room,
            deny_unconfirmed: self.deny_unconfirmed,
            fail_fast: self.fail_fast,
            failed: self.failed,
            trouble: Trouble::default(),
            failing: self.failing,
            traces: self.traces,
        }
    }

    /// Ends a report in between.
    #[cfg(unix)]
    pub(crate) fn conclude_so_far(mut self, output: &mut Output) {
        self.judge(self.failed);
        output.summary(&self.summary);
    }

    /// So many more findings are suppressed.
    #[cfg(unix)]
    pub(crate) fn add_suppressed(&mut self, suppressed: u64) {
        self.summary.suppressed += suppressed;
    }

    /// Nothing found does not mean clean, for a reason that is not in a trace.
    #[cfg(unix)]
    pub(crate) fn doubt(&mut self, reason: &str) {
        self.add_reason(reason);
        self.trouble.doubts.push(reason.to_owned());
    }

    /// The same, and the run has failed.
    #[cfg(unix)]
    pub(crate) fn fail(&mut self, reason: &str) {
        self.failed = true;
        match self.trouble.failure {
            Some(_) => self.doubt(reason),
            None => {
                self.add_reason(reason);
                self.trouble.failure = Some(reason.to_owned());
            }
        }
    }

    #[cfg(unix)]
    fn add_reason(&mut self, reason: &str) {
        self.summary.reasons.push(reason.to_owned());
        if let Some(tests) = &mut self.summary.tests {
            tests.reasons.push(reason.to_owned());
        }
    }

    /// The run is of a program, of which these operations are not recorded; none if that is
    /// not known. Those that nobody trusts make the run inconclusive.
    #[cfg(unix)]
    pub(crate) fn observe(&mut self, not: Option<Vec<Unobserved>>) {
        let untrusted = not.iter().flatten().filter(|one| !one.is_trusted);
        for reason in untrusted.map(Unobserved::to_string).collect::<Vec<_>>() {
            self.doubt(&reason);
        }
        let kinds = BTreeSet::new();
        self.summary.observed = Some(Observed { kinds, not });
    }

    /// How many events were looked at.
    #[cfg(unix)]
    pub(crate) fn events(&self) -> u64 {
        self.summary.events
    }

    /// Whether something was found that fails the run.
    #[cfg(unix)]
    pub(crate) fn has_failing(&self) -> bool {
        self.failing > 0
    }

    /// The run is over, with an error if it ended early.
    ///
    /// # Errors
    /// That error, or one of writing a document.
    pub(crate) fn finish(
        mut self,
        command: &str,
        result: Result<()>,
        output: &mut Output,
    ) -> Result<Exit> {
        let failed = self.failed || result.is_err();
        // Of a run that is over, what it suppressed is counted and not known.
        let tells_unused = result.is_ok() && self.seconds.is_none();
        for unused in self.suppressions.unused().filter(|_| tells_unused) {
            output.note(&format!("warning: {unused}"));
        }
        self.judge(failed);
        let summary = self.summary;
        if let Err(error) = &result {
            self.trouble.failure = Some(format!("{error:#}"));
        }
        self.documents.deny_unconfirmed = self.deny_unconfirmed;
        self.documents
            .write(command, &summary, &self.trouble, output)?;
        match failed {
            true => self.baseline.give_up(output),
            false => {
                let has_seen_all = !self.fail_fast && summary.reasons.is_empty();
                self.baseline.finish(self.fail_fast, has_seen_all, output)?;
            }
        }
        result?;
        let exit = match summary.verdict {
            _ if failed => Exit::BadInput,
            Verdict::Clean => Exit::Clean,
            Verdict::Violations => Exit::Findings,
            Verdict::Inconclusive => Exit::Inconclusive,
        };
        if let Some(mut keep) = self.keep {
            keep.deny_unconfirmed = self.deny_unconfirmed;
            keep.finish(exit, &summary, output)?;
        }
        // Of a file that is not there, people get the error and no verdict.
        if self.traces[0] > 0 && self.traces[0] == self.traces[1] {
            output.summary_for_machines(&summary);
        } else {
            output.summary(&summary);
        }
        Ok(exit)
    }

    /// Decides what all of it comes to.
    fn judge(&mut self, failed: bool) {
        let summary = &mut self.summary;
        if summary.findings > 0 && self.failing == 0 && !failed {
            let reason = match summary.looked {
                Some(_) => NOT_CONFIDENT,
                None => NOT_CERTAIN,
            };
            summary.reasons.push(reason.to_owned());
        }
        summary.verdict = match (self.failing, summary.reasons.is_empty()) {
            (0, true) if !failed => Verdict::Clean,
            (0, _) => Verdict::Inconclusive,
            _ => Verdict::Violations,
        };
        let elapsed = || self.started.elapsed().as_secs_f64();
        summary.seconds = self.seconds.unwrap_or_else(elapsed);
    }
}

fn count(summary: &mut Summary, checked: &Checked) {
    summary.findings += checked.findings.len() as u64;
    for (code, n) in Summary::count_codes(&checked.findings) {
        match summary.codes.iter_mut().find(|(known, _)| *known == code) {
            Some((_, count)) => *count += n,
            None => summary.codes.push((code, n)),
        }
    }
    summary.codes.sort_unstable();
    add_races(summary, checked.races.as_ref());
    summary.events += checked.events;
    summary.threads += checked.threads;
    summary.objects += checked.objects;
    if let Some(observed) = &mut summary.observed {
        observed.kinds.extend(&checked.kinds);
    }
}

fn add_races(summary: &mut Summary, races: Option<&RaceTotals>) {
    match (&mut summary.races, races) {
        (Some(all), Some(races)) => all.add(races),
        (None, Some(races)) => summary.races = Some(races.clone()),
        (_, None) => {}
    }
}
