//! `commute replay`: a schedule of a test again, or the witness of a finding.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, bail};
use commute_report::visible;

use crate::cli::{ReplayArgs, Shared};
use crate::exit::Exit;
use crate::output::Output;
use crate::program;
use crate::sources::roots::is_trace;
use crate::store::found::{self, StoredFinding};
use crate::store::place::Place;
use crate::trace::again;

/// Shows again what is called like this.
pub(crate) fn run(args: &ReplayArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let id = args.schedule.to_ascii_lowercase();
    if !args.program.command.is_empty() {
        bail!("tests take no arguments");
    }
    if Path::new(&args.schedule).is_file() || !found::is_id(&id) {
        return program::test::replay(args, shared, output);
    }
    let place = Place::of(shared, shared.asked.start.as_deref());
    let schedules = place
        .map(|place| schedules(&place, &id))
        .unwrap_or_default();
    // Where nothing is kept there may be a schedule all the same.
    let mut stored = found::candidates(&id, shared, output).unwrap_or_default();
    let is_test = |found: &StoredFinding| !found.run.tests.is_empty();
    let others = stored.keys().filter(|id| !schedules.contains(*id)).count();
    match (schedules.len(), others) {
        (0, 1) => {
            let (_, found) = stored.pop_first().expect("there is one");
            match is_test(&found) {
                true => bail!(
                    "the schedule of `{}` is not kept any more: `commute test` explores the test again",
                    visible(&args.schedule)
                ),
                false => witness(&id, &found, shared, output),
            }
        }
        (0, 0) | (1, 0) => program::test::replay(args, shared, output),
        _ => {
            let mut text = found::several(&args.schedule, &stored);
            for id in schedules.iter().filter(|id| !stored.contains_key(*id)) {
                text += &format!("\n  {}  a schedule", visible(id));
            }
            bail!("{text}")
        }
    }
}

/// The fingerprints of failures whose schedules are kept, and that begin like this.
fn schedules(place: &Place, id: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(place.schedules())
        .into_iter()
        .flatten()
        .flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let names = names.filter_map(|name| Some(name.strip_suffix(".schedule")?.to_owned()));
    names.filter(|name| name.starts_with(id)).collect()
}

/// Shows the events of a finding in a trace that somebody has recorded.
fn witness(id: &str, found: &StoredFinding, shared: &Shared, output: &mut Output) -> Result<Exit> {
    if shared.wants_document() {
        bail!("a witness is events, and no findings: it is printed as text only");
    }
    let trace = &found.run.traces[found.trace].trace;
    let Some(file) = &trace.file else {
        let why = no_trace(id, &found.run.run.command, &trace.name);
        if !again::show_stored(&found.finding, output) {
            bail!("{why}");
        }
        output.note(&format!(
            "note: these are the events that are stored; {why}"
        ));
        return Ok(Exit::Clean);
    };
    let path = [found.run.path_of(file), file.into()];
    // A stored run may name any file, and what is no trace would be quoted.
    let Some(path) = path.iter().find(|path| is_trace(path)) else {
        let name = visible(file);
        if path.iter().any(|path| path.exists()) {
            bail!(
                "the file {name} is not shown: its name does not end like that of a trace \
                 (.std, .ctr, also with .gz or .zst after it); \
                 `commute trace show {name}` shows any"
            );
        }
        bail!("the trace {name} is not there any more");
    };
    again::show(path, &found.finding, shared, output)
}

fn no_trace(id: &str, command: &str, name: &str) -> String {
    match command {
        "lint" => format!("nothing was run to find this: `commute explain {id}` shows it again"),
        "run" => "the trace was not kept: `commute run --save FILE` keeps it".to_owned(),
        _ => format!("there is no trace any more: it came from {}", visible(name)),
    }
}
