//! What happened around findings, for pages: a second look at the events.

use std::path::Path;

use commute_detect::Scenes;
use commute_model::{Finding, Names};

use crate::cli::Shared;
use crate::passes::Plan;
use crate::second_look::Spool;
use crate::trace::open;

/// How many events all scenes of a trace have together.
const ROOM: usize = 100_000;
/// Of so many findings more is shown than they name themselves.
const MOST: usize = 500;

/// Gives the findings of a trace their scenes, from the events that were kept or, if all
/// can be read again, from the file. If that has gone, there are none.
pub(crate) fn add(
    findings: &mut [Finding],
    spool: Option<&Spool>,
    path: &Path,
    names: &Names,
    plan: &Plan,
    shared: &Shared,
) {
    let most = MOST.min(findings.len());
    let findings = &mut findings[..most];
    let scenes = match spool {
        Some(spool) => {
            let (mut scenes, events) = spool.events(plan);
            declare(&mut scenes, names, shared);
            scenes.watch(findings, ROOM);
            for event in events {
                scenes.step(event, names);
            }
            scenes.finish(names)
        }
        None => read_again(findings, path, plan, shared),
    };
    for (finding, scene) in findings.iter_mut().zip(scenes) {
        finding.scene = Some(Box::new(scene)).filter(|scene| !scene.moments.is_empty());
    }
}

fn read_again(
    findings: &[Finding],
    path: &Path,
    plan: &Plan,
    shared: &Shared,
) -> Vec<commute_model::Scene> {
    let Ok(mut reader) = open(path, shared) else {
        return Vec::new();
    };
    let mut scenes = plan.scenes();
    for (name, type_name) in &shared.object {
        let names = reader.names_mut();
        names.objects.intern(name);
        names.types.intern(type_name);
    }
    declare(&mut scenes, reader.names(), shared);
    scenes.watch(findings, ROOM);
    let mut batch = Vec::new();
    // What was read before an error was checked, too.
    while reader.read_batch(&mut batch).is_ok() && !batch.is_empty() && !scenes.is_over() {
        for event in &batch {
            scenes.step(event, reader.names());
        }
    }
    scenes.finish(reader.names())
}

/// Declares the objects of the command line.
fn declare(scenes: &mut Scenes, names: &Names, shared: &Shared) {
    for (name, type_name) in &shared.object {
        let object = names.objects.lookup(name);
        if let (Some(object), Some(type_id)) = (object, names.types.lookup(type_name)) {
            scenes.declare(object, type_id, names);
        }
    }
}
