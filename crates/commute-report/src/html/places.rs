//! The places of the events of a finding, which the boxes of its diagram lead to.

use std::collections::{BTreeMap, BTreeSet};

use commute_model::{EventRef, Finding, Moment, parse_location};

use super::diagram::{Anchors, Shown};
use super::markup::Markup;
use super::source;
use crate::Style;
use crate::run::TraceRun;
use crate::site::{Site, sites};

/// How many events are shown with their source and with what they do; the table names the
/// others.
const MOST_SITES: usize = 20;
/// How many more lines of source all findings of a page have together, for the boxes that
/// come when a diagram is unfolded.
const MOST_LINES: usize = 2_000;

/// Writes the places of the finding with this number, which is one of so many.
pub(super) fn write(
    (number, of): (usize, usize),
    finding: &Finding,
    trace: &TraceRun<'_>,
    shown: &[Shown],
    html: &mut Markup,
) -> Anchors {
    let mut anchors = Anchors::new();
    if !finding.events.is_empty() {
        html.raw("<h4>Where</h4>\n");
    }
    let own = sites(finding, MOST_SITES, trace.sources, &page_style());
    for (i, site) in own.iter().enumerate() {
        let name = format!("line-{number}-{i}");
        source::site(site, &name, i == 0, &mut anchors, html);
    }
    let mut others = others(finding, trace, shown, &anchors);
    let mut known: BTreeSet<Place> = anchors.keys().cloned().collect();
    known.extend(others.iter().flat_map(places));
    others.extend(folded(finding, trace, known, MOST_LINES / of.max(1)));
    if others.is_empty() {
        return anchors;
    }
    html.raw("<details>\n<summary>Where the other events are</summary>\n");
    for (i, site) in others.iter_mut().enumerate() {
        if let Site::Shown(shown) = site {
            shown.marks.iter_mut().for_each(|mark| mark.primary = false);
        }
        let name = format!("line-{number}-more-{i}");
        source::site(site, &name, false, &mut anchors, html);
    }
    html.raw("</details>\n");
    anchors
}

/// A page has room for more of long texts than a terminal.
fn page_style() -> Style {
    Style {
        color: false,
        verbose: true,
        ..Style::default()
    }
}

/// A file and a line.
type Place = (String, u32);

fn place(event: &EventRef) -> Option<Place> {
    let (file, line, _) = parse_location(&event.location)?;
    Some((file.to_owned(), line))
}

/// The places that a site has.
fn places(site: &Site) -> Vec<Place> {
    match site {
        Site::Shown(shown) => { shown.marks.iter() }
            .map(|mark| (shown.file().to_owned(), mark.line as u32))
            .collect(),
        Site::Named { place, .. } => parse_location(place)
            .map(|(file, line, _)| (file.to_owned(), line))
            .into_iter()
            .collect(),
    }
}

/// The sites of the other events that the folded diagram shows.
fn others(
    finding: &Finding,
    trace: &TraceRun<'_>,
    shown: &[Shown],
    anchors: &Anchors,
) -> Vec<Site> {
    let mut known: BTreeSet<Place> = anchors.keys().cloned().collect();
    let new = shown.iter().filter_map(|row| match row {
        Shown::Event(event, _) => known.insert(place(event)?).then(|| event.clone()),
        Shown::Gap(_) => None,
    });
    let new = of_events(finding, new.collect());
    sites(&new, MOST_SITES, trace.sources, &page_style())
}

/// The lines of all other events, in the order of the files and without words: what is
/// done there says the diagram. Of what nobody has the source there is nothing to see.
fn folded(
    finding: &Finding,
    trace: &TraceRun<'_>,
    mut known: BTreeSet<Place>,
    most: usize,
) -> Vec<Site> {
    let moments = finding.scene.iter().flat_map(|scene| &scene.moments);
    let mut marks: Vec<u64> = finding.events.iter().map(|event| event.index).collect();
    marks.sort_unstable();
    // If there is no room for all, what is near the finding comes first.
    let distance = |moment: &&Moment| {
        let after = marks.partition_point(|mark| *mark < moment.index);
        let near = &marks[after.saturating_sub(1)..marks.len().min(after + 1)];
        near.iter().map(|mark| mark.abs_diff(moment.index)).min()
    };
    let mut moments: Vec<&Moment> = moments.collect();
    moments.sort_by_key(distance);
    let mut texts = BTreeMap::new();
    let mut new = BTreeMap::new();
    for moment in moments {
        if new.len() >= most {
            break;
        }
        let Some((file, line, _)) = parse_location(&moment.location) else {
            continue;
        };
        let place = (file.to_owned(), line);
        if !known.insert(place.clone()) {
            continue;
        }
        let text = texts.entry(file);
        let text = text.or_insert_with(|| trace.sources.text(file)).as_ref();
        if text.is_some_and(|text| text.line(line as usize).is_some()) {
            new.insert(
                place,
                EventRef {
                    thread: String::new(),
                    index: moment.index,
                    action: String::new(),
                    location: moment.location.clone(),
                },
            );
        }
    }
    // Sites begin with the last event.
    let new = of_events(finding, new.into_values().rev().collect());
    let mut sites = sites(&new, most, trace.sources, &page_style());
    for site in &mut sites {
        if let Site::Shown(shown) = site {
            shown.marks.iter_mut().for_each(|mark| mark.label.clear());
        }
    }
    sites
}

/// A finding with these events.
fn of_events(finding: &Finding, events: Vec<EventRef>) -> Finding {
    Finding {
        events,
        scene: None,
        ..finding.clone()
    }
}
