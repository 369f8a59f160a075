//! `commute trace validate`: whether a trace is well-formed.

use std::path::Path;

use anyhow::Result;
use commute_model::Severity;
use commute_spec::replay::Replay;
use commute_trace::{Flaw, TraceError, TraceReader, Validator};

use super::convert::size;
use super::flaws::Flaws;
use super::{open, tell};
use crate::cli::{MessageFormat, Shared};
use crate::exit::Exit;
use crate::library;
use crate::missed::missed;
use crate::output::{Output, count};
use crate::progress::Progress;

/// Prints every problem with its line.
pub(super) fn run(path: &Path, models: bool, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let library = match models {
        true => Some(library::load(&shared.spec, output)?),
        false => None,
    };
    let mut replay = library.as_ref().map(Replay::new);
    let mut reader = match open(path, shared) {
        Ok(reader) => reader,
        Err(error) => return Ok(tell(&error, path, output)),
    };
    if let Some(replay) = &mut replay {
        for (name, kind) in &shared.object {
            replay.begin(reader.names_mut().objects.intern(name), kind);
        }
    }
    let most = shared.max_findings.unwrap_or(100);
    let mut flaws = Flaws::new(path.display().to_string(), most, output);
    let mut progress = Progress::new(size(path), shared.quiet);
    let result = validate(&mut reader, replay.as_mut(), &mut flaws, &mut progress);
    progress.finish();
    let notes = reader.notes();
    let [errors, warnings, remarks] = flaws.finish(notes.missed > 0);
    let events = reader.events_read();
    let verdict = match &result {
        Err(error) => {
            tell(error, path, output);
            "not read to its end"
        }
        Ok(()) if errors > 0 => "not well-formed",
        Ok(()) => "well-formed",
    };
    output.note(&format!(
        "commute: {verdict}: {}, {}, {} in {}",
        count(errors, "error"),
        count(warnings, "warning"),
        count(remarks, "note"),
        count(events, "event")
    ));
    let replayed = replay.map(|replay| replay.counts());
    if let MessageFormat::Json = output.format {
        let mut body = serde_json::json!({
            "verdict": verdict,
            "events": events,
            "errors": errors,
            "warnings": warnings,
            "notes": remarks,
            "missed": notes.missed,
        });
        if let Some((replayed, skipped)) = replayed {
            body["replayed"] = replayed.into();
            body["not_replayed"] = skipped.into();
        }
        output.line(&commute_report::json::line("trace-validation", body));
    }
    let missed = missed(notes);
    if let Some(missed) = &missed {
        output.note(&format!("commute: {missed}"));
    }
    let mut complete = true;
    if let Some((replayed, skipped)) = replayed {
        let mut line = format!("commute: {} replayed", count(replayed, "action"));
        complete = skipped == 0 && missed.is_none();
        if skipped > 0 {
            line += &format!(
                ", {skipped} not: no model of a known size, something opaque, or after a problem"
            );
        }
        output.note(&line);
    }
    Ok(match errors {
        _ if result.is_err() => Exit::BadInput,
        0 if complete => Exit::Clean,
        // What was not replayed, or not recorded, may be wrong.
        0 => Exit::Inconclusive,
        _ => Exit::Findings,
    })
}

/// Finds out what is wrong with the trace, and with results on models.
fn validate(
    reader: &mut TraceReader,
    mut replay: Option<&mut Replay<'_>>,
    flaws: &mut Flaws<'_>,
    progress: &mut Progress,
) -> Result<(), TraceError> {
    let mut validator = Validator::new();
    let mut events = Vec::new();
    while reader.read_batch(&mut events)? > 0 {
        progress.update(reader.bytes_read(), reader.events_read());
        for (i, event) in events.iter().enumerate() {
            let (index, line) = (reader.index(i), reader.line(i));
            let names = reader.names();
            for flaw in validator.step(event, index, line, names) {
                // No bar between them; it comes again.
                progress.finish();
                flaws.ill_formed(flaw);
            }
            let impossible = replay.as_mut().and_then(|replay| replay.step(event, names));
            if let Some(impossible) = impossible {
                progress.finish();
                flaws.impossible(&Flaw {
                    severity: Severity::Error,
                    index,
                    line,
                    message: impossible.message,
                });
            }
        }
    }
    for flaw in validator.finish(reader.names()) {
        flaws.ill_formed(flaw);
    }
    Ok(())
}
