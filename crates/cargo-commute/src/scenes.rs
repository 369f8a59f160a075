//! What happened around findings, for pages: a second look at the events.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use commute_detect::Scenes;
use commute_model::{EventRef, Finding, Names, Scene};
use commute_spec::Library;

use crate::cli::Shared;
use crate::passes::Plan;
use crate::second_look::Spool;
use crate::sources::roots::Roots;
use crate::trace::open;

/// How many events all scenes of a trace have together.
const ROOM: usize = 100_000;
/// Of so many findings more is shown than they name themselves.
const MOST: usize = 500;

/// Gives the findings of a trace of so many events their scenes, from the events that were
/// kept or, if all can be read again, from the file. If that has gone, there are none.
pub(crate) fn add(
    (findings, total): (&mut [Finding], u64),
    spool: Option<&Spool>,
    path: &Path,
    names: &Names,
    plan: &Plan,
    shared: &Shared,
) {
    let Some(spool) = spool else {
        return read_again((findings, total), path, plan.scenes(), shared);
    };
    let findings = first(findings);
    let (mut scenes, events) = spool.events(names, plan);
    scenes.watch(findings, ROOM, whole(total, shared));
    for event in events {
        scenes.step(event, names);
    }
    give(findings, scenes.finish(names));
}

/// Gives stored findings their scenes, if a page is wanted and one of the files is still
/// there. What is in no file was stored with them.
#[cfg(unix)]
pub(crate) fn draw_again(
    (findings, total): (&mut [Finding], u64),
    files: &[PathBuf],
    library: &Arc<Library>,
    shared: &Shared,
) {
    if shared.html.is_none() {
        return;
    }
    // A stored run may name any file.
    let roots = Roots::here(&shared.sources);
    let file = files.iter().find(|path| roots.has_trace(path));
    if let Some(file) = file {
        read_again(
            (findings, total),
            file,
            Scenes::new(library.clone()),
            shared,
        );
    }
}

/// The same from a file, with what knows the types of its objects.
fn read_again(
    (findings, total): (&mut [Finding], u64),
    path: &Path,
    mut scenes: Scenes,
    shared: &Shared,
) {
    let findings = first(findings);
    let Ok(mut reader) = open(path, shared) else {
        return;
    };
    for (name, type_name) in &shared.object {
        let names = reader.names_mut();
        names.objects.intern(name);
        names.types.intern(type_name);
    }
    declare(&mut scenes, reader.names(), &shared.object);
    scenes.watch(findings, ROOM, whole(total, shared));
    let mut batch = Vec::new();
    // What was read before an error was checked, too.
    while reader.read_batch(&mut batch).is_ok() && !batch.is_empty() && !scenes.is_over() {
        for event in &batch {
            scenes.step(event, reader.names());
        }
    }
    give(findings, scenes.finish(reader.names()));
}

/// How many events there are, if all of them are of use: a page shows them, but what is
/// stored is small.
fn whole(total: u64, shared: &Shared) -> Option<u64> {
    shared.html.is_some().then_some(total)
}

fn first(findings: &mut [Finding]) -> &mut [Finding] {
    let most = MOST.min(findings.len());
    &mut findings[..most]
}

fn give(findings: &mut [Finding], scenes: Vec<Scene>) {
    for (finding, scene) in findings.iter_mut().zip(scenes) {
        finding.scene = Some(Box::new(scene)).filter(|scene| is_of(finding, scene));
    }
}

/// Whether the events of a finding are those of the scene. A file may have changed since
/// it was looked at.
fn is_of(finding: &Finding, scene: &Scene) -> bool {
    let is_there = |event: &EventRef| {
        let moment = scene.moment(event.index);
        moment.is_some_and(|moment| {
            moment.action == event.action && scene.threads[moment.thread] == event.thread
        })
    };
    finding.events.iter().any(is_there)
}

/// Declares the objects of the command line.
pub(crate) fn declare(scenes: &mut Scenes, names: &Names, objects: &[(String, String)]) {
    for (name, type_name) in objects {
        let object = names.objects.lookup(name);
        if let (Some(object), Some(type_id)) = (object, names.types.lookup(type_name)) {
            scenes.declare(object, type_id, names);
        }
    }
}
