//! A failing run, to be drawn.

use std::io::Cursor;
use std::sync::Arc;

use commute_detect::Scenes;
use commute_explore::{Story, Wrong};
use commute_model::{Arrow, Extent, Finding, Moment, Scene};
use commute_spec::Library;
use commute_trace::{Options, TraceReader};

use super::{finding, trace};

/// More steps than any story has.
const ROOM: usize = 1 << 20;

/// The scene of a story, and of what went wrong at its end.
pub(super) fn of(story: &Story, finding: &Finding) -> Scene {
    let (text, steps) = trace::lines(story);
    let drawn = read(text, steps.len() as u64, finding);
    let step = |line: u64| steps.get(line as usize - 1).copied();
    let position = |line: u64| step(line).map(|step| step as u64 + 1);
    let mut scene = Scene {
        threads: drawn.threads,
        marks: finding.events.iter().map(|event| event.index).collect(),
        ..Scene::default()
    };
    // The last line of a step is what it does, the others prepare it.
    for moment in drawn.moments {
        let Some(step) = step(moment.index).filter(|now| step(moment.index + 1) != Some(*now))
        else {
            continue;
        };
        let told = &story.steps[step];
        // That a thread ends is seen by whoever joins it.
        if told.method != "exit" {
            scene.moments.push(Moment {
                index: step as u64 + 1,
                action: finding::does(told),
                location: told.location.clone().unwrap_or_default(),
                ..moment
            });
        }
    }
    let arrows = drawn.arrows.into_iter().filter_map(|arrow| {
        Some(Arrow {
            from: position(arrow.from)?,
            to: position(arrow.to)?,
            why: arrow.why,
        })
    });
    scene.arrows = arrows.collect();
    let extents = drawn.extents.into_iter().filter_map(|extent| {
        Some(Extent {
            from: position(extent.from)?,
            to: extent.to.and_then(position),
            ..extent
        })
    });
    scene.extents = extents.collect();
    end(&mut scene, story);
    let shown = |index: &u64| scene.moments.iter().any(|moment| moment.index == *index);
    scene.marks.retain(shown);
    scene.marks.sort_unstable();
    scene.marks.dedup();
    scene
}

/// The trace of a story with `events` events, around all of which somebody looks.
fn read(text: String, events: u64, finding: &Finding) -> Scene {
    let mut whole = finding.clone();
    if let Some(witness) = &mut whole.witness {
        witness.steps = vec![1, events.max(1)];
    }
    let mut scenes = Scenes::new(Arc::new(Library::shipped()));
    scenes.watch(std::slice::from_ref(&whole), ROOM, None);
    // What we write ourselves can be read.
    let Ok(mut reader) = TraceReader::from_reader(Cursor::new(text), Options::default()) else {
        return Scene::default();
    };
    let mut batch = Vec::new();
    while reader.read_batch(&mut batch).is_ok() && !batch.is_empty() {
        for event in &batch {
            scenes.step(event, reader.names());
        }
    }
    scenes.finish(reader.names()).pop().unwrap_or_default()
}

/// Adds what is no step: that a thread panics, or waits for ever.
fn end(scene: &mut Scene, story: &Story) {
    let last = story.steps.len() as u64;
    let ends: Vec<(&str, String, Option<&str>)> = match &story.wrong {
        Wrong::Panic {
            thread,
            message,
            location,
            ..
        } => {
            let message = message.lines().next().unwrap_or_default();
            vec![(thread, format!("panics: {message}"), location.as_deref())]
        }
        Wrong::Deadlock { waiting } | Wrong::NeverEnds { waiting, .. } => { waiting.iter() }
            .map(|waits| {
                let location = waits.location.as_deref();
                (&*waits.thread, finding::waits(waits), location)
            })
            .collect(),
        Wrong::NotAtomic { .. } | Wrong::Diverged { .. } => return,
    };
    for (index, (thread, action, location)) in (last + 1..).zip(ends) {
        let moment = Moment {
            index,
            thread: scene.lane(thread),
            action,
            location: location.unwrap_or_default().to_owned(),
            clock: Vec::new(),
        };
        scene.moments.push(moment);
        scene.marks.push(index);
    }
}
