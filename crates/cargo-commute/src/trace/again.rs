//! A stored finding in the trace that it was found in, event by event.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};
use commute_model::{Event, EventRef, Finding, Names, WitnessKind};
use commute_report::clip;

use super::{Events, describe, show, witness};
use crate::cli::Shared;
use crate::exit::Exit;
use crate::output::Output;

/// Prints the run that shows a finding: of a prediction the reordering, as a text trace;
/// of anything else the events that it is about, one column per thread.
///
/// # Errors
/// If the trace is another one than it was.
pub(crate) fn show(
    path: &Path,
    finding: &Finding,
    shared: &Shared,
    output: &mut Output,
) -> Result<Exit> {
    let reordering =
        { finding.witness.as_ref() }.filter(|witness| witness.kind == WitnessKind::Reordering);
    let steps = finding.witness.iter().flat_map(|witness| &witness.steps);
    let steps = steps.filter(|_| reordering.is_none()).copied();
    let of_finding = finding.events.iter().map(|event| event.index);
    let mut wanted: BTreeMap<u64, Option<Event>> =
        steps.chain(of_finding).map(|index| (index, None)).collect();
    let mut events = Events::open(path, shared);
    loop {
        match events.next() {
            Ok(None) => break,
            Ok(Some((index, event))) => {
                if let Some(wanted) = wanted.get_mut(&index) {
                    *wanted = Some(event.clone());
                }
            }
            Err(error) => {
                output.stderr(&describe(&error, path, &output.error_style));
                return Ok(Exit::BadInput);
            }
        }
    }
    for event in &finding.events {
        let now = wanted.get(&event.index).and_then(Option::as_ref);
        if !now.is_some_and(|now| is_same(now, event, events.names())) {
            bail!(
                "{} is not what it was: event {} was {} of {} ({}); check it again",
                path.display(),
                event.index,
                clip(&event.action, 100),
                clip(&event.thread, 100),
                clip(&event.location, 200)
            );
        }
    }
    let Some(reordering) = reordering else {
        let known = wanted.into_iter();
        let known: Vec<(u64, Event)> = known.filter_map(|(i, e)| Some((i, e?))).collect();
        show::print(&known, events.names(), output);
        return Ok(Exit::Clean);
    };
    match witness::print(path, reordering, shared, output) {
        Ok(()) => Ok(Exit::Clean),
        Err(error) => {
            output.stderr(&describe(&error, path, &output.error_style));
            Ok(Exit::BadInput)
        }
    }
}

fn is_same(now: &Event, then: &EventRef, names: &Names) -> bool {
    names.threads.name(now.thread).to_string() == then.thread
        && names.locations.name(now.location).to_string() == then.location
        && now.op.display(names).to_string() == then.action
}
