//! `commute check`: traces in, findings out.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow};
use commute_detect::{Pass, Races};
use commute_model::{Finding, Id, Names};
use commute_report::{Summary, Verdict, clip};
use commute_spec::Library;
use commute_trace::TraceError;

use crate::cli::{Analysis, CheckArgs, Shared};
use crate::documents::Documents;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;
use crate::reading::Reading;
use crate::sources::FileSources;
use crate::suppress::Suppressions;
use crate::trace::{describe, open};

/// Checks all traces of the command line.
pub(crate) fn run(args: &CheckArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let started = Instant::now();
    let analyses: Vec<Analysis> = Analysis::ALL
        .iter()
        .copied()
        .filter(|analysis| args.only.is_empty() || args.only.contains(analysis))
        .collect();
    let mut summary = Summary {
        analyses: analyses.iter().map(|a| a.name().to_owned()).collect(),
        ..Summary::default()
    };
    let mut documents = Documents::new(shared);
    // Before the work: a file that cannot be written is better known early.
    let read = args.traces.iter().chain(&shared.spec);
    let result = documents
        .open_page(read.chain(&shared.suppress))
        .and_then(|()| {
            check_all(
                args,
                &analyses,
                shared,
                output,
                &mut documents,
                &mut summary,
            )
        });
    let failed = !matches!(result, Ok(false));
    summary.verdict = match (summary.findings, summary.reasons.is_empty()) {
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

/// Checks and prints one trace after the other; whether one of them could not
/// be read to its end.
fn check_all(
    args: &CheckArgs,
    analyses: &[Analysis],
    shared: &Shared,
    output: &mut Output,
    documents: &mut Documents,
    summary: &mut Summary,
) -> Result<bool> {
    let library = Arc::new(crate::library::load(&shared.spec, output)?);
    let mut suppressions = Suppressions::read(shared.suppress.as_deref())?;
    let mut failed = false;
    let mut room = shared.max_findings.unwrap_or(usize::MAX);
    for path in &args.traces {
        let mut checked = check(path, analyses, &library, shared)?;
        let all = checked.findings.len();
        checked
            .findings
            .retain(|finding| !suppressions.suppress(finding));
        let sources = FileSources::of(path);
        if args.traces.len() > 1 && room > 0 && !checked.findings.is_empty() {
            output.heading(&format!("in {}:", clip(&path.display().to_string(), 400)));
        }
        for finding in checked.findings.iter().take(room) {
            output.finding(finding, &sources);
        }
        summary.suppressed += (all - checked.findings.len()) as u64;
        add(summary, &checked);
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
            failed = true;
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
    Ok(failed)
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

fn check(
    path: &Path,
    analyses: &[Analysis],
    library: &Arc<Library>,
    shared: &Shared,
) -> Result<Checked> {
    let mut races = Races::new(
        library.clone(),
        analyses.contains(&Analysis::Races),
        analyses.contains(&Analysis::DataRaces),
    );
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
        let names = reader.names_mut();
        let object = names.objects.intern(name);
        let type_id = names.types.intern(type_name);
        let declared = races.declare(object, type_id, reader.names());
        declared.map_err(|error| {
            let help = error
                .help
                .map(|help| format!("; {help}"))
                .unwrap_or_default();
            anyhow!("--object {name}={type_name}: {}{help}", error.message)
        })?;
    }
    let mut reading = Reading::new(reader, path, shared);
    checked.error = read(&mut reading, &mut races, path, shared).err();
    let names = reading.names();
    races.finish(names, &mut checked.findings);
    checked.events = races.events();
    checked.threads = names.threads.len() as u64;
    checked.objects = names.objects.len() as u64;
    if races.dropped() > 0 {
        let dropped = races.dropped();
        checked.notes.push(format!(
            "{dropped} more races between other places are not shown"
        ));
    }
    checked.notes.extend(linear_note(&races, names));
    let inert = reading.notes().dummies + reading.notes().branches;
    if inert > 0 {
        checked
            .notes
            .push(format!("{inert} `dummy` and `branch` events were ignored"));
    }
    checked
        .reasons
        .extend(races.ill_formed(names).map(|(index, what)| {
            format!(
                "event {index} {what}: the trace is not well-formed (see `commute trace validate`)"
            )
        }));
    // The process is about to end: the system takes the memory back faster than
    // millions of variables are dropped.
    std::mem::forget((races, reading));
    Ok(checked)
}

fn read(
    reading: &mut Reading,
    races: &mut Races,
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
            Ok((events, names)) => races.steps(events, names),
            Err(error) => break Err(error),
        };
        if let Err(error) = stepped {
            let help = error
                .help
                .map(|help| format!("; {help}"))
                .unwrap_or_default();
            let message = format!("{}{help}", error.message);
            break Err(reading.error_at(error.offset, &message));
        }
        let (bytes, events) = reading.position();
        progress.update(bytes, events);
    };
    progress.finish();
    result
}

/// Says which types cost more than constant time per action.
fn linear_note(races: &Races, names: &Names) -> Option<String> {
    let mut types = Vec::new();
    for id in names.objects.ids() {
        if let Some(object) = races.objects().get(id)
            && !object.compiled.points().linear().is_empty()
            && !types.contains(&object.type_id())
        {
            types.push(object.type_id());
        }
        if id.index() > 10_000 {
            break; // Enough to name the types of any real trace.
        }
    }
    let types: Vec<_> = types
        .iter()
        .map(|t| format!("`{}`", names.types.name(*t)))
        .collect();
    (!types.is_empty()).then(|| {
        format!(
            "{} has conditions outside ECL: their pairs are compared one by one, which is linear in the object's actions (CM907)",
            types.join(", ")
        )
    })
}
