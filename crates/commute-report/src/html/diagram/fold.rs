//! What of a run is shown, and what is folded.

use std::collections::BTreeSet;

use commute_model::{Finding, Scene, WitnessKind};

/// Shorter runs are shown as they are.
const SHORT: usize = 26;
/// So many events are shown before and after one that matters.
const AROUND: usize = 1;
/// More rows are not shown; those that matter most come first.
const MOST: usize = 120;
/// Nor more lanes.
const MOST_LANES: usize = 10;

/// A row of a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Row {
    /// An event, by its place in the scene.
    Event(usize),
    /// So many events that are not shown.
    Gap(usize),
}

/// The rows of the events of a scene, in an order of their places.
pub(super) fn rows(finding: &Finding, scene: &Scene, order: &[usize]) -> Vec<Row> {
    let wanted = wanted(finding, scene, order);
    let mut rows = Vec::new();
    let mut hidden = 0;
    for (at, place) in order.iter().enumerate() {
        if wanted.contains(&at) {
            if hidden > 0 {
                rows.push(Row::Gap(hidden));
                hidden = 0;
            }
            rows.push(Row::Event(*place));
        } else {
            hidden += 1;
        }
    }
    if hidden > 0 {
        rows.push(Row::Gap(hidden));
    }
    rows
}

/// The positions in `order` of what is shown.
fn wanted(finding: &Finding, scene: &Scene, order: &[usize]) -> BTreeSet<usize> {
    let lanes = lanes(scene);
    let in_lane = |at: &usize| lanes.contains(&scene.moments[order[*at]].thread);
    if order.len() <= SHORT {
        return (0..order.len()).filter(in_lane).collect();
    }
    let mut places = vec![usize::MAX; scene.moments.len()];
    for (at, place) in order.iter().enumerate() {
        places[*place] = at;
    }
    let position = |index: u64| {
        let place = scene.moments.binary_search_by_key(&index, |m| m.index);
        place.ok().map(|place| places[place])
    };
    let mut wanted = BTreeSet::new();
    let mut want = |positions: &mut dyn Iterator<Item = usize>| {
        for at in positions.filter(|at| *at < order.len()) {
            if wanted.len() < MOST && in_lane(&at) {
                wanted.insert(at);
            }
        }
    };
    let mut marks = scene.marks.clone();
    // The two events of each edge of a cycle, and the ends of a reordering.
    if let Some(witness) = &finding.witness {
        match witness.kind {
            WitnessKind::Cycle => marks.extend(&witness.steps),
            WitnessKind::Reordering => marks.extend(witness.steps.iter().rev().take(2)),
            _ => {}
        }
    }
    let marked: Vec<usize> = marks.iter().filter_map(|index| position(*index)).collect();
    want(&mut marked.iter().copied());
    // The blocks and locks that they are in.
    let around = scene.extents.iter().filter(|extent| {
        let is_in = |index: &u64| {
            extent.from <= *index && extent.to.is_none_or(|to| *index <= to) && {
                let moment = scene.moment(*index);
                moment.is_some_and(|moment| moment.thread == extent.thread)
            }
        };
        marks.iter().any(is_in)
    });
    let ends = around.flat_map(|extent| [Some(extent.from), extent.to]);
    want(&mut ends.flatten().filter_map(position));
    // Where their threads begin and end, and what orders what is shown.
    let threads: BTreeSet<usize> = { marks.iter() }
        .filter_map(|index| scene.moment(*index))
        .map(|moment| moment.thread)
        .collect();
    let of_threads = scene.arrows.iter().filter(|arrow| {
        let ends = [arrow.from, arrow.to].map(|index| scene.moment(index));
        let own = |moment: &commute_model::Moment| threads.contains(&moment.thread);
        matches!(&*arrow.why, "fork" | "join") && ends.into_iter().flatten().any(own)
    });
    want(&mut of_threads.flat_map(|arrow| [arrow.from, arrow.to].into_iter().filter_map(position)));
    let near = marked.iter();
    want(&mut near.flat_map(|at| at.saturating_sub(AROUND)..=at.saturating_add(AROUND)));
    want(&mut [0, order.len() - 1].into_iter());
    // A gap of one is no gain.
    let single = |at: &usize| wanted.contains(&(at - 1)) && wanted.contains(&(at + 1));
    let singles: Vec<usize> = { (1..order.len().saturating_sub(1)).filter(single) }
        .filter(in_lane)
        .collect();
    wanted.extend(singles);
    wanted
}

/// The threads that are shown: all, or those that matter and the first others.
pub(super) fn lanes(scene: &Scene) -> BTreeSet<usize> {
    let marked = { scene.marks.iter() }
        .filter_map(|index| scene.moment(*index))
        .map(|moment| moment.thread);
    let mut lanes = BTreeSet::new();
    for thread in marked.chain(0..scene.threads.len()) {
        if lanes.len() < MOST_LANES {
            lanes.insert(thread);
        }
    }
    lanes
}

#[cfg(test)]
mod tests {
    use commute_model::{Extent, ExtentKind, Moment, Witness};

    use super::*;
    use crate::html::diagram::tests::pair;

    fn long(events: u64) -> Scene {
        let moment = |index: u64| Moment {
            index,
            thread: index as usize % 2,
            action: "w(x)".to_owned(),
            location: String::new(),
            clock: Vec::new(),
        };
        Scene {
            threads: vec!["T1".to_owned(), "T2".to_owned()],
            moments: (1..=events).map(moment).collect(),
            marks: vec![50, 91],
            extents: vec![Extent {
                thread: 0,
                from: 40,
                to: Some(60),
                kind: ExtentKind::Lock,
                name: "m".to_owned(),
            }],
            ..Scene::default()
        }
    }

    /// The numbers of the events that are shown, and how many are not.
    fn shown(finding: &Finding, scene: &Scene) -> String {
        let order: Vec<usize> = (0..scene.moments.len()).collect();
        let rows = rows(finding, scene, &order);
        let shown = |row: &Row| match row {
            Row::Event(place) => scene.moments[*place].index.to_string(),
            Row::Gap(hidden) => format!("({hidden})"),
        };
        let shown: Vec<String> = rows.iter().map(shown).collect();
        shown.join(" ")
    }

    #[test]
    fn what_matters_is_shown_and_the_rest_is_counted() {
        let expected = "1 (38) 40 (8) 49 50 51 (8) 60 (29) 90 91 92 (7) 100";
        assert_eq!(shown(&pair(), &long(100)), expected);
    }

    #[test]
    fn all_edges_of_a_cycle_are_shown() {
        let mut cycle = pair();
        cycle.witness = Some(Witness {
            kind: WitnessKind::Cycle,
            prefix: 0,
            steps: vec![50, 71, 74, 91],
        });
        let expected = "1 (38) 40 (8) 49 50 51 (8) 60 (9) 70 71 72 73 74 75 (14) 90 91 92 (7) 100";
        assert_eq!(shown(&cycle, &long(100)), expected);
    }

    #[test]
    fn every_event_is_in_one_row_or_counted_in_one() {
        for events in 92..140 {
            let scene = long(events);
            for order in [
                (0..scene.moments.len()).collect::<Vec<_>>(),
                (0..scene.moments.len()).rev().collect(),
            ] {
                let rows = rows(&pair(), &scene, &order);
                let count: usize = { rows.iter() }
                    .map(|row| match row {
                        Row::Event(_) => 1,
                        Row::Gap(hidden) => *hidden,
                    })
                    .sum();
                assert_eq!(count, order.len());
                for pair in rows.windows(2) {
                    assert!(!matches!(pair, [Row::Gap(_), Row::Gap(_)]));
                }
            }
        }
    }

    #[test]
    fn of_many_threads_those_that_matter_are_shown() {
        let mut scene = long(100);
        scene.threads = (0..40).map(|number| format!("T{number}")).collect();
        for moment in &mut scene.moments {
            moment.thread = moment.index as usize % 40;
        }
        let lanes = lanes(&scene);
        assert_eq!(lanes.len(), MOST_LANES);
        // Of the events 50 and 91.
        assert!(lanes.contains(&10) && lanes.contains(&11));
    }
}
