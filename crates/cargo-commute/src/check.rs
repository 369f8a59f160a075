//! `commute check`: traces in, findings out.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use commute_detect::Atomicity;
use commute_model::{Certainty, Code, Finding};
use commute_report::{Summary, Verdict, clip};
use commute_trace::TraceError;

use crate::cli::{CheckArgs, Shared};
use crate::documents::Documents;
use crate::exit::Exit;
use crate::output::Output;
use crate::passes::{Passes, Plan, message};
use crate::progress::Progress;
use crate::reading::Reading;
use crate::second_look::{self, Spool};
use crate::sources::FileSources;
use crate::suppress::Suppressions;
use crate::trace::{describe, open};

/// Checks all traces of the command line.
pub(crate) fn run(args: &CheckArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let started = Instant::now();
    let analyses = args.analyses().into_iter();
    let mut summary = Summary {
        analyses: analyses.map(|a| a.name().to_owned()).collect(),
        ..Summary::default()
    };
    let mut documents = Documents::new(shared);
    // Before the work: a file that cannot be written is better known early.
    let read = args.traces.iter().chain(&shared.spec);
    let result = documents
        .open_page(read.chain(&shared.suppress))
        .and_then(|()| check_all(args, shared, output, &mut documents, &mut summary));
    let failed = !matches!(result, Ok(Outcome { failed: false, .. }));
    let failing = result.as_ref().map_or(0, |outcome| outcome.failing);
    if summary.findings > 0 && failing == 0 && !failed {
        let reason = "what was found is not certain (`--deny unconfirmed` makes it fail the run)";
        summary.reasons.push(reason.to_owned());
    }
    summary.verdict = match (failing, summary.reasons.is_empty()) {
        (0, true) if !failed => Verdict::Clean,
        (0, _) => Verdict::Inconclusive,
        _ => Verdict::Violations,
    };
    summary.seconds = started.elapsed().as_secs_f64();
    documents.write("check", &summary, result.as_ref().err(), output)?;
    result?;
    output.summary(&summary);
    Ok(match summary.verdict {
        _ if failed => Exit::BadInput,
        Verdict::Clean => Exit::Clean,
        Verdict::Violations => Exit::Findings,
        Verdict::Inconclusive => Exit::Inconclusive,
    })
}

/// What came of all traces.
#[derive(Default)]
struct Outcome {
    /// Whether one of them could not be read to its end.
    failed: bool,
    /// How many findings fail the run.
    failing: u64,
}

/// Checks and prints one trace after the other.
fn check_all(
    args: &CheckArgs,
    shared: &Shared,
    output: &mut Output,
    documents: &mut Documents,
    summary: &mut Summary,
) -> Result<Outcome> {
    let library = Arc::new(crate::library::load(&shared.spec, output)?);
    let plan = Plan::new(args, library)?;
    let mut suppressions = Suppressions::read(shared.suppress.as_deref())?;
    let mut outcome = Outcome::default();
    let mut room = shared.max_findings.unwrap_or(usize::MAX);
    for path in &args.traces {
        let mut checked = check(path, &plan, shared)?;
        let all = checked.findings.len();
        checked
            .findings
            .retain(|finding| !suppressions.suppress(finding));
        let sources = FileSources::of(path);
        let several = args.traces.len() > 1;
        if several && room > 0 && !checked.findings.is_empty() {
            output.heading(&format!("in {}:", clip(&path.display().to_string(), 400)));
        }
        for finding in checked.findings.iter().take(room) {
            output.finding(several.then_some(path), finding, &sources);
        }
        summary.suppressed += (all - checked.findings.len()) as u64;
        add(summary, &checked);
        let certain = |f: &&Finding| f.certainty != Certainty::Unconfirmed;
        outcome.failing += match plan.deny_unconfirmed {
            true => checked.findings.len(),
            false => checked.findings.iter().filter(certain).count(),
        } as u64;
        let hidden = checked.findings.len().saturating_sub(room);
        checked.findings.truncate(room);
        room -= checked.findings.len();
        if hidden > 0 {
            output.note(&format!(
                "{hidden} more findings are not shown (--max-findings)"
            ));
        }
        for note in &checked.notes {
            output.note(&format!("note: {note}"));
        }
        if let Some(error) = &checked.error {
            outcome.failed = true;
            output.flush();
            output.stderr(&describe(error, path, &output.style));
            summary
                .reasons
                .push(format!("{} was not read to its end", path.display()));
        }
        documents.keep(path, checked, hidden as u64, sources);
    }
    for unused in suppressions.unused() {
        output.note(&format!("warning: {unused}"));
    }
    Ok(outcome)
}

/// What came of one trace.
pub(crate) struct Checked {
    /// What was found.
    pub findings: Vec<Finding>,
    events: u64,
    threads: u64,
    objects: u64,
    /// Why "nothing found" would not mean "clean".
    pub reasons: Vec<String>,
    /// What else there is to know.
    pub notes: Vec<String>,
    /// Why the trace was not read to its end.
    pub error: Option<TraceError>,
}

fn add(summary: &mut Summary, checked: &Checked) {
    summary.findings += checked.findings.len() as u64;
    for (code, n) in Summary::count_codes(&checked.findings) {
        match summary.codes.iter_mut().find(|(known, _)| *known == code) {
            Some((_, count)) => *count += n,
            None => summary.codes.push((code, n)),
        }
    }
    summary.codes.sort_unstable();
    summary.events += checked.events;
    summary.threads += checked.threads;
    summary.objects += checked.objects;
    summary.reasons.extend(checked.reasons.iter().cloned());
}

fn check(path: &Path, plan: &Plan, shared: &Shared) -> Result<Checked> {
    let mut passes = Passes::new(plan);
    let mut checked = Checked {
        findings: Vec::new(),
        events: 0,
        threads: 0,
        objects: 0,
        reasons: Vec::new(),
        notes: Vec::new(),
        error: None,
    };
    let mut reader = match open(path, shared) {
        Ok(reader) => reader,
        Err(error) => {
            checked.error = Some(error);
            return Ok(checked);
        }
    };
    for (name, type_name) in &shared.object {
        passes.declare(name, type_name, reader.names_mut())?;
    }
    let mut reading = Reading::new(reader, path, shared);
    let mut spool = (plan.wants_atomicity() && !is_file(path)).then(Spool::default);
    checked.error = read(&mut reading, &mut passes, &mut spool, plan, path, shared).err();
    let names = reading.names();
    checked.findings = passes.finish(names);
    checked.events = passes.events();
    checked.threads = names.threads.len() as u64;
    checked.objects = names.objects.len() as u64;
    if let Some(until) = passes.atomicity.as_ref().and_then(Atomicity::unexplained) {
        let explained = second_look::explain(spool, until, path, names, plan, shared);
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
    for finding in &mut checked.findings {
        // What cannot be read twice cannot be shown again.
        finding.replay = { finding.replay.take() }
            .filter(|_| is_file(path))
            .map(|replay| replay.replace("TRACE", &path.display().to_string()));
    }
    let inert = reading.notes().dummies + reading.notes().branches;
    if inert > 0 {
        checked
            .notes
            .push(format!("{inert} `dummy` and `branch` events were ignored"));
    }
    checked
        .reasons
        .extend(passes.ill_formed(names).map(|(index, what)| {
            format!(
                "event {index} {what}: the trace is not well-formed (see `commute trace validate`)"
            )
        }));
    // The process is about to end: the system takes the memory back faster than
    // millions of variables are dropped.
    std::mem::forget((passes, reading));
    Ok(checked)
}

fn is_file(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| m.is_file())
}

fn read(
    reading: &mut Reading,
    passes: &mut Passes,
    spool: &mut Option<Spool>,
    plan: &Plan,
    path: &Path,
    shared: &Shared,
) -> Result<(), TraceError> {
    let size = std::fs::metadata(path)
        .ok()
        .filter(|m| m.is_file())
        .map(|m| m.len());
    let mut progress = Progress::new(size, shared.quiet);
    let result = loop {
        let stepped = match reading.next() {
            Ok(([], _)) => break Ok(()),
            Ok((events, names)) => {
                if let Some(spool) = spool {
                    spool.keep(events, names, plan);
                }
                passes.steps(events, names)
            }
            Err(error) => break Err(error),
        };
        if let Err(error) = stepped {
            break Err(reading.error_at(error.offset, &message(&error)));
        }
        if plan.fail_fast && passes.found() {
            break Ok(());
        }
        let (bytes, events) = reading.position();
        progress.update(bytes, events);
    };
    progress.finish();
    result
}
