//! `commute trace validate`: whether a trace is well-formed.

use std::path::Path;

use anyhow::Result;
use commute_model::Severity;
use commute_report::problem::{self, Place, Problem};
use commute_trace::{Flaw, validate};

use super::convert::unread;
use super::open;
use crate::cli::{MessageFormat, Shared};
use crate::exit::Exit;
use crate::output::{Output, count};

/// Prints every problem with its line.
pub(super) fn run(path: &Path, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let mut reader = match open(path, shared) {
        Ok(reader) => reader,
        Err(error) => return Ok(unread(&error, path, output)),
    };
    let file = path.display().to_string();
    let most = shared.max_findings.unwrap_or(100);
    let mut counts = [0u64; 3];
    let result = validate(&mut reader, |flaw| {
        counts[flaw.severity as usize] += 1;
        if counts.iter().sum::<u64>() <= most as u64 {
            print(&flaw, &file, output);
        }
    });
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
    if let Err(error) = result {
        return Ok(unread(&error, path, output));
    }
    Ok(if errors > 0 {
        Exit::Findings
    } else {
        Exit::Clean
    })
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
