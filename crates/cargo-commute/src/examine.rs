//! One trace under the analyses of a plan, from wherever it comes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use commute_detect::Atomicity;
use commute_model::{Certainty, Code, Finding, Names};
use commute_report::{ObservedKind, RaceTotals, TestName};
#[cfg(unix)]
use commute_trace::Bell;
use commute_trace::{TraceError, TraceReader};

use crate::cli::Shared;
use crate::fingerprints::complete;
use crate::initial_states::TOO_LATE;
use crate::memory_limit::MemoryLimit;
use crate::missed::missed;
use crate::passes::{Passes, Plan, message};
use crate::progress::Progress;
use crate::reading::Reading;
use crate::scenes;
use crate::second_look::{self, Spool};
use crate::shell_word::shell_word;
use crate::sources::FileSources;

/// Where the events of a trace come from.
pub(crate) struct Origin {
    /// The file as it was given, `-` for standard input, or the program.
    pub path: PathBuf,
    /// Whether it is a file, which can be read a second time.
    pub again: bool,
    /// The file that has the same events, for who wants to look at them again.
    pub saved: Option<PathBuf>,
}

impl Origin {
    /// A file, or standard input.
    pub(crate) fn of(path: &Path) -> Origin {
        let again = std::fs::metadata(path).is_ok_and(|m| m.is_file());
        Origin {
            path: path.to_owned(),
            again,
            saved: again.then(|| path.to_owned()),
        }
    }
}

/// What came of one trace.
#[derive(Clone, Default)]
pub(crate) struct Checked {
    /// What was found.
    pub findings: Vec<Finding>,
    pub events: u64,
    pub threads: u64,
    pub objects: u64,
    /// How often races were found, if there are any.
    pub races: Option<RaceTotals>,
    /// The kinds of operations that are in the trace.
    pub kinds: BTreeSet<ObservedKind>,
    /// How many more were found that somebody allows.
    pub suppressed: u64,
    /// How many of these the configuration file allows.
    pub suppressed_by_configuration: u64,
    /// Why "nothing found" would not mean "clean".
    pub reasons: Vec<String>,
    /// Whether the file has to be read again, because it tells too late of the initial
    /// states of its objects.
    pub is_late: bool,
    /// What else there is to know.
    pub notes: Vec<String>,
    /// The test, if it is one.
    pub test: Option<TestName>,
    /// How long it took, if that is a result.
    pub seconds: Option<f64>,
    /// Why the trace was not read to its end.
    pub error: Option<TraceError>,
    /// Whether not even its first byte could be read: nothing else is known of it.
    pub is_unreadable: bool,
}

impl Checked {
    /// Returns the result of a trace of which no event was understood.
    pub(crate) fn failed(error: TraceError) -> Checked {
        Checked {
            error: Some(error),
            ..Checked::default()
        }
    }
}

/// A trace in the course of being checked.
pub(crate) struct Examination<'a> {
    origin: &'a Origin,
    plan: &'a Plan,
    shared: &'a Shared,
    sources: &'a FileSources,
    passes: Passes,
    reading: Reading,
    /// What is kept of a trace that cannot be read twice.
    spool: Option<Spool>,
    /// How much memory the process may have.
    most_memory: Option<MemoryLimit>,
    /// Whether reading stopped because of it.
    is_cut: bool,
}

impl<'a> Examination<'a> {
    /// Begins with the first event of `reader`.
    ///
    /// # Errors
    /// If an object of the command line has a type that nobody knows.
    pub(crate) fn new(
        reader: TraceReader,
        origin: &'a Origin,
        plan: &'a Plan,
        shared: &'a Shared,
        sources: &'a FileSources,
    ) -> Result<Examination<'a>> {
        let read = |reader| Reading::new(reader, origin, shared);
        Examination::begin(reader, read, origin, plan, shared, sources)
    }

    /// The same for what a program does; the bell calls for what there is so far.
    ///
    /// # Errors
    /// As [`new`](Examination::new).
    #[cfg(unix)]
    pub(crate) fn live(
        reader: TraceReader,
        origin: &'a Origin,
        plan: &'a Plan,
        shared: &'a Shared,
        sources: &'a FileSources,
    ) -> Result<(Examination<'a>, Bell)> {
        let mut bell = None;
        let read = |reader| {
            let (reading, its_bell) = Reading::live(reader);
            bell = Some(its_bell);
            reading
        };
        let examination = Examination::begin(reader, read, origin, plan, shared, sources)?;
        Ok((examination, bell.expect("it has been begun")))
    }

    fn begin(
        mut reader: TraceReader,
        read: impl FnOnce(TraceReader) -> Reading,
        origin: &'a Origin,
        plan: &'a Plan,
        shared: &'a Shared,
        sources: &'a FileSources,
    ) -> Result<Examination<'a>> {
        let mut passes = Passes::new(plan);
        for (name, type_name) in &shared.object {
            passes.declare(name, type_name, reader.names_mut())?;
        }
        Ok(Examination {
            origin,
            plan,
            shared,
            sources,
            passes,
            reading: read(reader),
            spool: (!origin.again && (plan.wants_atomicity() || shared.html.is_some()))
                .then(|| Spool::new(shared.html.is_some(), &shared.object)),
            most_memory: None,
            is_cut: false,
        })
    }

    /// Sets how much memory the process may have before reading stops.
    pub(crate) fn limit_memory(&mut self, most: Option<MemoryLimit>) {
        self.most_memory = most;
    }

    /// Reads to the end, or to the first finding if that is enough. Whenever somebody
    /// rings, `answer` gets what there is so far.
    ///
    /// # Errors
    /// If that is not possible. What was read before counts.
    pub(crate) fn read(
        &mut self,
        progress: &mut Progress,
        answer: &mut dyn FnMut(Checked),
    ) -> Result<(), TraceError> {
        loop {
            let stepped = match self.reading.next_unless_rung()? {
                None => {
                    // A copy says what there would be if this were the end.
                    answer(self.conclude(&mut self.passes.clone(), None));
                    continue;
                }
                Some(([], _)) => return Ok(()),
                Some((events, names)) => {
                    if let Some(spool) = &mut self.spool {
                        spool.keep(events, names, self.plan);
                    }
                    self.passes.steps(events, names)
                }
            };
            if let Err(error) = stepped {
                return Err(self.reading.error_at(error.offset, &message(&error)));
            }
            if self.plan.fail_fast && self.passes.found() {
                return Ok(());
            }
            if self
                .most_memory
                .as_mut()
                .is_some_and(MemoryLimit::is_reached)
            {
                self.is_cut = true;
                return Ok(());
            }
            let (bytes, events) = self.reading.position();
            progress.update(bytes, events);
        }
    }

    /// Whether something was found that is certain.
    #[cfg(unix)]
    pub(crate) fn found(&self) -> bool {
        self.passes.found()
    }

    /// What came of it.
    pub(crate) fn finish(&mut self, error: Option<TraceError>) -> Checked {
        let mut passes = std::mem::take(&mut self.passes);
        let mut checked = self.conclude(&mut passes, error);
        self.passes = passes;
        // What is in no file cannot be drawn later: its scenes are stored.
        let is_stored = self.shared.stores() && self.origin.saved.is_none();
        let is_there = || self.spool.as_ref().is_some_and(Spool::can_be_drawn);
        if self.shared.html.is_some() || is_stored && is_there() {
            let (spool, path) = (self.spool.as_ref(), &self.origin.path);
            let names = self.reading.names();
            let findings = (&mut checked.findings[..], checked.events);
            scenes::add(findings, spool, path, names, self.plan, self.shared);
        }
        checked
    }

    fn conclude(&self, passes: &mut Passes, error: Option<TraceError>) -> Checked {
        let (plan, names) = (self.plan, self.reading.names());
        let mut checked = Checked {
            findings: passes.finish(names, self.sources),
            events: passes.events(),
            threads: names.threads.len() as u64,
            objects: names.objects.len() as u64,
            races: { !plan.fail_fast }
                .then(|| passes.race_totals(names))
                .flatten(),
            kinds: kinds(names),
            error,
            ..Checked::default()
        };
        if let Some(until) = passes.atomicity.as_ref().and_then(Atomicity::unexplained) {
            let (spool, path) = (self.spool.as_ref(), &self.origin.path);
            let mut explained = second_look::explain(spool, until, path, names, plan, self.shared);
            complete(&mut explained.findings, self.sources);
            if !explained.findings.is_empty() {
                let findings = &mut checked.findings;
                findings.retain(|finding| finding.code != Code::CM111);
                findings.extend(explained.findings);
            }
            if explained.partial {
                let note = "there are more atomicity violations than could be explained: counts are lower bounds";
                checked.notes.push(note.to_owned());
            }
        }
        if plan.fail_fast {
            let closed = |f: &Finding| f.events.iter().map(|event| event.index).max();
            let uncertain = |f: &Finding| f.certainty == Certainty::Unconfirmed;
            { &mut checked.findings }.sort_by_key(|f| (uncertain(f), closed(f)));
            checked.findings.truncate(1);
        }
        checked.notes.extend(passes.notes(plan, names));
        checked.reasons.extend(passes.left_out());
        if let Some(most) = self.most_memory.filter(|_| self.is_cut) {
            checked.reasons.push(most.reason(checked.events));
        }
        if passes.is_late() {
            // To read again would come no further.
            checked.is_late = self.origin.again && !self.is_cut;
            let reason = (!checked.is_late).then(|| TOO_LATE.to_owned());
            checked.reasons.extend(reason);
        }
        for finding in &mut checked.findings {
            // What is in no file cannot be shown again.
            let file = self.origin.saved.as_ref();
            finding.replay = { finding.replay.take().zip(file) }
                .map(|(replay, file)| replay.replace("TRACE", &shell_word(file)));
        }
        checked.reasons.extend(missed(self.reading.notes()));
        let inert = self.reading.notes().dummies + self.reading.notes().branches;
        if inert > 0 {
            checked
                .notes
                .push(format!("{inert} `dummy` and `branch` events were ignored"));
        }
        let ill_formed = passes.ill_formed(names).map(|(index, what)| {
            format!(
                "event {index} {what}: the trace is not well-formed (see `commute trace validate`)"
            )
        });
        checked.reasons.extend(ill_formed);
        checked
    }
}

/// The kinds of operations in a trace, derived from its tables of names.
fn kinds(names: &Names) -> BTreeSet<ObservedKind> {
    let some = [
        (names.threads.is_empty(), ObservedKind::Threads),
        (names.locks.is_empty(), ObservedKind::Locks),
        (names.condvars.is_empty(), ObservedKind::ConditionVariables),
        (names.variables.is_empty(), ObservedKind::Variables),
    ];
    let some = some.into_iter().filter(|(is_empty, _)| !is_empty);
    let types = names.types.ids();
    let types = types.map(|id| ObservedKind::of_type(&names.types.name(id).to_string()));
    some.map(|(_, kind)| kind).chain(types).collect()
}
