//! `commute trace info`: what a trace contains.

use std::path::Path;

use anyhow::Result;
use commute_report::clip;
use commute_trace::{Notes, TraceInfo, trace_info};

use super::convert::size;
use super::{open, tell};
use crate::cli::{MessageFormat, Shared};
use crate::exit::Exit;
use crate::missed::missed;
use crate::output::Output;
use crate::progress::Progress;

/// Threads and objects beyond this many are only counted, unless `-v`.
const SHOWN: usize = 20;

/// Prints the counts.
pub(super) fn run(path: &Path, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let mut reader = match open(path, shared) {
        Ok(reader) => reader,
        Err(error) => return Ok(tell(&error, path, output)),
    };
    let mut progress = Progress::new(size(path), shared.quiet);
    let (info, error) = trace_info(&mut reader, &mut |reader| {
        progress.update(reader.bytes_read(), reader.events_read());
    });
    progress.finish();
    if info.events > 0 {
        match output.format {
            MessageFormat::Json => json(&info, reader.notes(), output),
            _ => human(&info, output),
        }
        let notes = reader.notes();
        if let Some(missed) = missed(notes) {
            output.note(&format!("note: {missed}"));
        }
        let inert = notes.dummies + notes.branches;
        if inert > 0 {
            output.note(&format!(
                "note: {inert} `dummy` and `branch` events are kept, and ignored by every analysis"
            ));
        }
    }
    match error {
        None => Ok(Exit::Clean),
        Some(error) => Ok(tell(&error, path, output)),
    }
}

fn human(info: &TraceInfo, output: &mut Output) {
    let rows = [
        ("events", info.events),
        ("threads", info.threads.len() as u64),
        ("locks", info.locks as u64),
        ("variables", info.variables as u64),
        ("condition variables", info.condvars as u64),
        ("objects", info.objects.len() as u64),
        ("transactions", info.transactions),
        ("deepest nesting", info.nesting),
        ("locations", info.locations as u64),
    ];
    for (what, count) in rows {
        output.line(&format!("{what:<20} {count:>12}"));
    }
    output.line("\nevents by kind");
    for (kind, count) in &info.kinds {
        output.line(&format!("  {kind:<18} {count:>12}"));
    }
    let shown = if output.style.verbose {
        usize::MAX
    } else {
        SHOWN
    };
    list("\nevents by thread", &info.threads, shown, output);
    let actions: Vec<_> = info
        .objects
        .iter()
        .map(|object| {
            let type_name = object.type_name.as_deref().unwrap_or("?");
            (format!("{}: {type_name}", object.name), object.actions)
        })
        .collect();
    list("\nactions by object", &actions, shown, output);
}

fn list(title: &str, rows: &[(String, u64)], shown: usize, output: &mut Output) {
    if rows.is_empty() {
        return;
    }
    output.line(title);
    for (name, count) in rows.iter().take(shown) {
        output.line(&format!("  {:<18} {count:>12}", clip(name, 60)));
    }
    if rows.len() > shown {
        output.line(&format!(
            "  … and {} more (-v shows all)",
            rows.len() - shown
        ));
    }
}

fn json(info: &TraceInfo, notes: Notes, output: &mut Output) {
    let objects: Vec<_> = info
        .objects
        .iter()
        .map(|o| serde_json::json!({ "name": o.name, "type": o.type_name, "actions": o.actions }))
        .collect();
    let pairs = |rows: &[(String, u64)]| -> Vec<_> {
        let row =
            |(name, events): &(String, u64)| serde_json::json!({ "name": name, "events": events });
        rows.iter().map(row).collect()
    };
    let kinds: serde_json::Map<_, _> = info
        .kinds
        .iter()
        .map(|(kind, n)| ((*kind).to_owned(), (*n).into()))
        .collect();
    let body = serde_json::json!({
        "events": info.events,
        "kinds": kinds,
        "threads": pairs(&info.threads),
        "locks": info.locks,
        "variables": info.variables,
        "condvars": info.condvars,
        "objects": objects,
        "transactions": info.transactions,
        "nesting": info.nesting,
        "locations": info.locations,
        "missed": notes.missed,
    });
    output.line(&commute_report::json::line("trace-info", body));
}
