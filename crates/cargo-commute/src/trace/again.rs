//! A stored finding in the trace that it was found in, or in what is stored of that, event
//! by event.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::path::Path;

use anyhow::{Result, bail};
use commute_model::{Event, EventRef, Finding, Moment, Names, Scene, WitnessKind};
use commute_report::clip;
use commute_trace::{Options, TraceReader};

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

/// Prints what is stored with a finding of a trace that is in no file: of a prediction the
/// reordering, of anything else the events that it is about, one column per thread. False
/// if that is not stored.
pub(crate) fn show_stored(finding: &Finding, output: &mut Output) -> bool {
    let moments = finding.scene.iter().flat_map(|scene| &scene.moments);
    let known: BTreeMap<u64, &Moment> = moments.map(|moment| (moment.index, moment)).collect();
    let of_finding = finding.events.iter().map(|event| event.index);
    let order: Vec<u64> = match &finding.witness {
        Some(witness) if witness.kind == WitnessKind::Reordering => {
            let prefix = known.range(..=witness.prefix).map(|(index, _)| *index);
            prefix.chain(witness.steps.iter().copied()).collect()
        }
        witness => {
            let steps = witness.iter().flat_map(|witness| &witness.steps);
            let wanted: BTreeSet<u64> = steps.copied().chain(of_finding.clone()).collect();
            wanted.into_iter().collect()
        }
    };
    let order: Vec<&Moment> = order.iter().filter_map(|i| known.get(i).copied()).collect();
    let is_all = { of_finding }.all(|index| order.iter().any(|moment| moment.index == index));
    let scene = finding
        .scene
        .as_ref()
        .filter(|_| is_all && !order.is_empty());
    let Some((events, names)) = scene.and_then(|scene| events(scene, &order)) else {
        return false;
    };
    show::print(&events, &names, output);
    true
}

/// The events of a scene, in this order.
fn events(scene: &Scene, order: &[&Moment]) -> Option<(Vec<(u64, Event)>, Names)> {
    let line = |moment: &&Moment| {
        let thread = scene.threads.get(moment.thread).map_or("", String::as_str);
        format!("{thread}|{}|{}\n", moment.action, moment.location)
    };
    let text: String = order.iter().map(line).collect();
    // Most objects were made before.
    let objects = order.iter().filter_map(|moment| {
        let (call, _) = moment.action.split_once('(')?;
        Some(call.rsplit_once('.')?.0)
    });
    let made = order.iter().filter_map(|moment| {
        let (object, _) = moment.action.strip_prefix("new(")?.rsplit_once(':')?;
        Some(object)
    });
    let mut unmade: BTreeSet<&str> = objects.collect();
    made.for_each(|object| {
        unmade.remove(object);
    });
    let options = Options {
        declared: unmade.into_iter().map(str::to_owned).collect(),
    };
    let mut reader = TraceReader::from_reader(Cursor::new(text), options).ok()?;
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    while reader.read_batch(&mut batch).ok()? > 0 {
        all.append(&mut batch);
    }
    let indices = order.iter().map(|moment| moment.index);
    // What was stored is a text that somebody may have changed.
    (all.len() == order.len()).then(|| (indices.zip(all).collect(), reader.names().clone()))
}

fn is_same(now: &Event, then: &EventRef, names: &Names) -> bool {
    names.threads.name(now.thread).to_string() == then.thread
        && names.locations.name(now.location).to_string() == then.location
        && now.op.display(names).to_string() == then.action
}
