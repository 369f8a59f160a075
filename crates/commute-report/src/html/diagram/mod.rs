//! Space–time diagrams: a lane for each thread, time goes down.
//!
//! What a finding has of its run (its [`Scene`]) is drawn folded, so that the diagram fits
//! a page and needs no script. With scripts it can be stepped through and unfolded; what
//! was folded comes along as data.

mod data;
mod depth;
mod draw;
mod fold;
mod layout;

use std::collections::BTreeMap;

use commute_model::{EventRef, ExtentKind, Finding, Moment, Scene, WitnessKind};

use super::markup::Markup;
use crate::site::is_of_source;
use draw::Drawing;
use fold::Row;
use layout::Layout;

/// Which element of the page shows a line of a file.
pub(super) type Anchors = BTreeMap<(String, u32), String>;

/// Draws a finding: its events as they came and, if another order is the evidence, in that
/// one.
pub(super) fn figure(number: usize, finding: &Finding, anchors: &Anchors, html: &mut Markup) {
    let bare;
    let scene = match &finding.scene {
        Some(scene) => scene,
        None => {
            bare = of_events(finding);
            &bare
        }
    };
    if scene.moments.is_empty() {
        return;
    }
    let order: Vec<usize> = (0..scene.moments.len()).collect();
    let reordered = reordered(finding, scene);
    html.raw("<div class=\"diagrams\">\n");
    let orders = [
        Some((caption(finding, reordered.is_some()), order)),
        reordered.map(|order| ("How it can happen: a run of the same events", order)),
    ];
    let mut folded = false;
    for (which, (caption, order)) in orders.into_iter().flatten().enumerate() {
        let rows = fold::rows(finding, scene, &order);
        folded |= which == 0 && rows.iter().any(|row| matches!(row, Row::Gap(_)));
        let layout = Layout::new(scene, &rows);
        html.raw("<figure class=\"diagram\" data-finding=\"")
            .show(number);
        html.raw("\">\n<figcaption>").text(caption);
        html.raw("</figcaption>\n<div class=\"canvas\">\n");
        let drawing = Drawing {
            finding,
            scene,
            rows: &rows,
            layout: &layout,
            anchors,
            reordered: which > 0,
        };
        drawing.svg(html);
        html.raw("</div>\n</figure>\n");
    }
    html.raw("</div>\n");
    key(finding, scene, html);
    if folded {
        html.raw("<script type=\"application/json\" id=\"scene-")
            .show(number);
        html.raw("\">")
            .json(&data::of(finding, scene))
            .raw("</script>\n");
    }
}

/// Writes what the signs of a diagram mean, of those that it has.
fn key(finding: &Finding, scene: &Scene, html: &mut Markup) {
    let has = |block: bool| {
        let mut extents = scene.extents.iter();
        extents.any(|extent| (extent.kind == ExtentKind::Block) == block)
    };
    let kind = finding.witness.as_ref().map(|witness| witness.kind);
    let signs = [
        (true, "red: what the finding is about"),
        (
            kind == Some(WitnessKind::Cycle),
            "red arrow: must come before",
        ),
        (
            !scene.arrows.is_empty(),
            "blue arrow: happens before the other",
        ),
        (has(false), "bar: a lock is held"),
        (has(true), "dashed frame: should be atomic"),
    ];
    html.raw("<p class=\"key\">");
    let signs = signs.into_iter().filter(|(is_there, _)| *is_there);
    for (i, (_, text)) in signs.enumerate() {
        html.raw(if i > 0 { " · " } else { "" }).raw(text);
    }
    html.raw("</p>\n");
}

/// The events that a diagram of a finding shows, as they came.
pub(super) fn shown(finding: &Finding) -> Vec<EventRef> {
    let Some(scene) = &finding.scene else {
        return Vec::new();
    };
    let order: Vec<usize> = (0..scene.moments.len()).collect();
    let rows = fold::rows(finding, scene, &order).into_iter();
    let shown = rows.filter_map(|row| match row {
        Row::Event(place) => Some(&scene.moments[place]),
        Row::Gap(_) => None,
    });
    shown
        .map(|moment| EventRef {
            thread: scene.threads[moment.thread].clone(),
            index: moment.index,
            action: moment.action.clone(),
            location: moment.location.clone(),
        })
        .collect()
}

fn caption(finding: &Finding, reordered: bool) -> &'static str {
    let kind = finding.witness.as_ref().map(|witness| witness.kind);
    match kind {
        _ if is_of_source(finding) => "How it goes wrong, a lane for each function",
        _ if reordered => "What was recorded",
        Some(WitnessKind::Schedule | WitnessKind::History) => "The run that goes wrong",
        _ => "What each thread did, in the order of the trace",
    }
}

/// All that is known of a finding without its run.
fn of_events(finding: &Finding) -> Scene {
    let mut scene = Scene::default();
    let mut events: Vec<&EventRef> = finding.events.iter().collect();
    events.sort_by_key(|event| event.index);
    for event in events {
        // Several may be at the end of a run; they need places of their own.
        let last = scene.moments.last().map_or(0, |moment| moment.index);
        let index = event.index.max(last.saturating_add(1));
        let moment = Moment {
            index,
            thread: scene.lane(&event.thread),
            action: event.action.clone(),
            location: event.location.clone(),
            clock: Vec::new(),
        };
        scene.marks.push(index);
        scene.moments.push(moment);
    }
    scene
}

/// The events of a scene in the order of the evidence, as places, if it is another one.
fn reordered(finding: &Finding, scene: &Scene) -> Option<Vec<usize>> {
    let witness = finding.witness.as_ref()?;
    if witness.kind != WitnessKind::Reordering || finding.scene.is_none() {
        return None;
    }
    let place = |index: &u64| {
        let place = scene.moments.binary_search_by_key(index, |m| m.index);
        place.ok()
    };
    let before = scene.moments.iter();
    let before = before
        .take_while(|moment| moment.index <= witness.prefix)
        .count();
    let steps = witness.steps.iter().filter_map(place);
    Some((0..before).chain(steps).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use commute_model::{Certainty, Code, Level, Witness};

    /// A finding with a pair of events.
    pub(super) fn pair() -> Finding {
        Finding {
            code: Code::CM101,
            level: Level::Error,
            certainty: Certainty::Observed,
            fingerprint: "0123456789abcdef".to_owned(),
            title: "a race".to_owned(),
            object: None,
            events: Vec::new(),
            condition: None,
            witness: Some(Witness {
                kind: WitnessKind::Pair,
                prefix: 0,
                steps: vec![50, 91],
            }),
            count: 1,
            replay: None,
            notes: Vec::new(),
            scene: None,
        }
    }

    #[test]
    fn events_at_one_position_have_places_of_their_own() {
        let mut finding = pair();
        let waits = |thread: &str| EventRef {
            thread: thread.to_owned(),
            index: 3,
            action: "waits".to_owned(),
            location: String::new(),
        };
        finding.events = vec![waits("main"), waits("T1")];
        let scene = of_events(&finding);
        let places: Vec<u64> = scene.moments.iter().map(|moment| moment.index).collect();
        assert_eq!((places, scene.marks), (vec![3, 4], vec![3, 4]));
    }

    #[test]
    fn a_witness_is_drawn_in_its_own_order() {
        let moment = |index| Moment {
            index,
            thread: 0,
            action: String::new(),
            location: String::new(),
            clock: Vec::new(),
        };
        let scene = Scene {
            threads: vec!["T1".to_owned()],
            moments: (1..=6).map(moment).collect(),
            ..Scene::default()
        };
        let mut finding = pair();
        finding.witness = Some(Witness {
            kind: WitnessKind::Reordering,
            prefix: 2,
            steps: vec![5, 6, 9, 3],
        });
        assert_eq!(reordered(&finding, &scene), None, "without a run");
        finding.scene = Some(Box::new(scene.clone()));
        assert_eq!(reordered(&finding, &scene), Some(vec![0, 1, 4, 5, 2]));
    }
}
