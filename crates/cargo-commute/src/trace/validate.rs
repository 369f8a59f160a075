//! `commute trace validate`: whether a trace is well-formed.

use std::path::Path;

use anyhow::Result;
use commute_model::Severity;
use commute_report::problem::{self, Place, Problem};
use commute_spec::replay::Replay;
use commute_trace::{Flaw, TraceError, TraceReader, Validator};

use super::convert::unread;
use super::open;
use crate::cli::{MessageFormat, Shared};
use crate::exit::Exit;
use crate::library;
use crate::output::{Output, count};

/// Prints every problem with its line.
pub(super) fn run(path: &Path, models: bool, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let library = match models {
        true => Some(library::load(&shared.spec, output)?),
        false => None,
    };
    let mut replay = library.as_ref().map(Replay::new);
    let mut reader = match open(path, shared) {
        Ok(reader) => reader,
        Err(error) => return Ok(unread(&error, path, output)),
    };
    if let Some(replay) = &mut replay {
        for (name, kind) in &shared.object {
            replay.begin(reader.names_mut().objects.intern(name), kind);
        }
    }
    let file = path.display().to_string();
    let most = shared.max_findings.unwrap_or(100);
    let mut counts = [0u64; 3];
    let mut say = |flaw: &Flaw| {
        counts[flaw.severity as usize] += 1;
        if counts.iter().sum::<u64>() <= most as u64 {
            print(flaw, &file, output);
        }
    };
    let result = validate(&mut reader, replay.as_mut(), &mut say);
    let [errors, warnings, notes] = counts;
    let all = errors + warnings + notes;
    if all > most as u64 {
        output.note(&format!(
            "{} more are not shown (--max-findings)",
            all - most as u64
        ));
    }
    let events = reader.events_read();
    let verdict = if errors > 0 {
        "not well-formed"
    } else {
        "well-formed"
    };
    output.note(&format!(
        "commute: {verdict}: {}, {}, {} in {}",
        count(errors, "error"),
        count(warnings, "warning"),
        count(notes, "note"),
        count(events, "event")
    ));
    let mut complete = true;
    if let Some(replay) = replay {
        let (replayed, skipped) = replay.counts();
        let mut line = format!("commute: {} replayed", count(replayed, "action"));
        complete = skipped == 0;
        if skipped > 0 {
            line += &format!(
                ", {skipped} not: no model of a known size, something opaque, or after a problem"
            );
        }
        output.note(&line);
    }
    if let Err(error) = result {
        return Ok(unread(&error, path, output));
    }
    Ok(match errors {
        0 if complete => Exit::Clean,
        // What was not replayed may be wrong.
        0 => Exit::Inconclusive,
        _ => Exit::Findings,
    })
}

/// Shows `say` what is wrong with the trace, and with results on models.
fn validate(
    reader: &mut TraceReader,
    mut replay: Option<&mut Replay<'_>>,
    say: &mut impl FnMut(&Flaw),
) -> Result<(), TraceError> {
    let mut validator = Validator::new();
    let mut events = Vec::new();
    while reader.read_batch(&mut events)? > 0 {
        for (i, event) in events.iter().enumerate() {
            let (index, line) = (reader.index(i), reader.line(i));
            let names = reader.names();
            validator
                .step(event, index, line, names)
                .iter()
                .for_each(&mut *say);
            let impossible = replay.as_mut().and_then(|replay| replay.step(event, names));
            if let Some(impossible) = impossible {
                say(&Flaw {
                    severity: Severity::Error,
                    index,
                    line,
                    message: impossible.message,
                });
            }
        }
    }
    validator.finish(reader.names()).iter().for_each(say);
    Ok(())
}

fn print(flaw: &Flaw, file: &str, output: &mut Output) {
    let Flaw {
        severity,
        index,
        line,
        message,
    } = flaw;
    let message = match severity {
        Severity::Error => format!("event {index}: {message}"),
        _ => message.clone(),
    };
    let problem = Problem {
        severity: *severity,
        code: None,
        message: &message,
        file,
        place: Place::Line {
            line: *line,
            column: 1,
            excerpt: "",
            mark: 1,
        },
        help: None,
    };
    let text = match output.format {
        MessageFormat::Json => problem::json(&problem),
        _ => problem::short(&problem),
    };
    output.line(&text);
}
