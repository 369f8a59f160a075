//! Space–time diagrams: a lane for each thread, time goes down.
//!
//! What a finding has of its run (its [`Scene`]) is drawn folded, so that the diagram fits
//! a page and needs no script. With scripts it can be stepped through and unfolded; what
//! was folded comes along as data.

mod atomics;
mod data;
mod depth;
mod draw;
mod fold;
mod key;
mod lasting;
mod layout;
mod order;
mod path;
mod place;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use commute_model::{EventRef, Finding, Moment, Scene, WitnessKind};

use super::markup::Markup;
use crate::site::is_of_source;
use depth::Nesting;
use draw::Drawing;
use fold::Row;
use key::Signs;
use layout::Layout;
use order::Order;

/// Which element of the page shows a line of a file.
pub(super) type Anchors = BTreeMap<(String, u32), String>;

/// The width of a column of text, as `style.css` has it, in pixels.
const COLUMN: i64 = 916;

/// The last scene that a page has as data, and the finding that it is of.
#[derive(Default)]
pub(super) struct Written<'a> {
    last: Option<(usize, &'a Scene)>,
}

/// Draws a finding: its events as they came and, if another order is the evidence, in that
/// one. The run had `total` events, if that is known. Says whether that takes more room
/// than a column of text has.
pub(super) fn figure<'a>(
    number: usize,
    finding: &'a Finding,
    total: Option<u64>,
    anchors: &Anchors,
    written: &mut Written<'a>,
    html: &mut Markup,
) -> bool {
    let scene = &*scene(finding);
    if scene.moments.is_empty() {
        return false;
    }
    let nesting = Nesting::of(&scene.extents);
    let mut orders = vec![Order::recorded(finding, scene, total)];
    orders.extend(Order::reordered(finding, scene));
    html.raw(match orders.len() {
        1 => "<div class=\"diagrams\">\n",
        _ => "<div class=\"diagrams two\">\n",
    });
    let mut is_broad = orders.len() > 1;
    let (mut is_folded, mut signs) = (false, Signs::default());
    for (which, order) in orders.iter().enumerate() {
        let rows = fold::rows(finding, scene, order);
        let caption = match which {
            0 => caption(finding, orders.len() > 1),
            _ => "How it can happen: a run of the same events",
        };
        html.raw("<figure class=\"diagram\" data-finding=\"")
            .show(number);
        html.raw("\"").set("data-order", which);
        if let Some(words) = more(order, &rows) {
            html.set("data-more", words);
            is_folded = true;
        }
        html.raw(">\n<figcaption>").raw(caption);
        html.raw("</figcaption>\n<div class=\"canvas\">\n");
        let layout = Layout::new(scene, &rows, &nesting, orders.len() > 1);
        is_broad |= layout.width > COLUMN;
        let drawing = Drawing {
            finding,
            scene,
            order,
            rows: &rows,
            nesting: &nesting,
            layout: &layout,
            anchors,
            caption,
        };
        drawing.svg(html);
        signs.add(&drawing);
        html.raw("</div>\n");
        others(scene, order, &layout, html);
        html.raw("</figure>\n");
    }
    html.raw("</div>\n");
    let unfolded = match is_folded {
        true => Signs::unfolded(finding, scene, &orders),
        false => Signs::default(),
    };
    signs.write(&unfolded, html);
    if is_folded {
        // The findings of a trace that is there as a whole share it.
        let same = written.last.filter(|(_, last)| data::are_same(last, scene));
        let events = same.map_or(number, |(first, _)| first);
        if events == number {
            written.last = finding.scene.as_deref().map(|scene| (number, scene));
            html.raw("<script type=\"application/json\" id=\"events-");
            html.show(number).raw("\">");
            html.json(&data::events(scene, &nesting));
            html.raw("</script>\n");
        }
        html.raw("<script type=\"application/json\" id=\"scene-");
        html.show(number).raw("\">");
        html.json(&data::of(finding, scene, &orders, &nesting, events));
        html.raw("</script>\n");
    }
    is_broad
}

/// What there is to be drawn of a finding.
fn scene(finding: &Finding) -> Cow<'_, Scene> {
    match &finding.scene {
        Some(scene) => Cow::Borrowed(scene),
        None => Cow::Owned(of_events(finding)),
    }
}

/// What can be unfolded of an order, in words, if not all of it is in these rows.
fn more(order: &Order, rows: &[Row]) -> Option<String> {
    let shown = rows.iter().filter(|row| matches!(row, Row::Event(_)));
    let there = order.places.len();
    if shown.count() == there {
        return None;
    }
    let known = count(there as u64);
    Some(match order.total {
        Some(total) if total == there as u64 => format!("show all {known} events"),
        Some(total) => format!("show {known} of {} events", count(total)),
        None => format!("show {known} events"),
    })
}

/// Says which threads have no lane.
fn others(scene: &Scene, order: &Order, layout: &Layout, html: &mut Markup) {
    let threads = order
        .places
        .iter()
        .map(|place| scene.moments[*place].thread);
    let hidden = threads.filter(|thread| !layout.lanes.contains_key(thread));
    let hidden: Vec<usize> = hidden.collect();
    let threads = hidden.iter().collect::<BTreeSet<_>>().len();
    if threads == 0 {
        return;
    }
    html.raw("<p class=\"rest\">").text(&count(threads as u64));
    html.raw(match threads {
        1 => " other thread is not shown (",
        _ => " other threads are not shown (",
    });
    html.text(&count(hidden.len() as u64));
    html.raw(match hidden.len() {
        1 => " event)</p>\n",
        _ => " events)</p>\n",
    });
}

/// A number, its thousands apart.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A row of the diagram of a finding.
pub(super) enum Shown {
    /// An event, and whether the finding is about it.
    Event(EventRef, bool),
    /// So many that are not shown.
    Gap(u64),
}

/// What a diagram of a finding shows, as it came.
pub(super) fn shown(finding: &Finding, total: Option<u64>) -> Vec<Shown> {
    let scene = &*scene(finding);
    let order = Order::recorded(finding, scene, total);
    let row = |row: Row| match row {
        Row::Event(place) => {
            let moment = &scene.moments[place];
            let event = EventRef {
                thread: scene.threads[moment.thread].clone(),
                index: moment.index,
                action: moment.action.clone(),
                location: moment.location.clone(),
            };
            Shown::Event(event, scene.marks.binary_search(&moment.index).is_ok())
        }
        Row::Gap(hidden) => Shown::Gap(hidden),
    };
    let rows = fold::rows(finding, scene, &order).into_iter();
    rows.map(row).collect()
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
    let mut lanes: BTreeMap<&str, usize> = BTreeMap::new();
    for event in events {
        let thread = *lanes.entry(&event.thread).or_insert_with(|| {
            scene.threads.push(event.thread.clone());
            scene.threads.len() - 1
        });
        // Several may be at the end of a run; they need places of their own.
        let last = scene.moments.last().map_or(0, |moment| moment.index);
        let index = event.index.max(last.saturating_add(1));
        let moment = Moment {
            index,
            thread,
            action: event.action.clone(),
            location: event.location.clone(),
            clock: Vec::new(),
        };
        scene.marks.push(index);
        scene.moments.push(moment);
    }
    scene
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
    fn thousands_are_set_apart() {
        let texts = [0, 999, 1000, 8017, 1_234_567].map(count);
        assert_eq!(texts, ["0", "999", "1,000", "8,017", "1,234,567"]);
    }
}
