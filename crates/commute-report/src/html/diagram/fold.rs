//! What of a run is shown, and what is folded.

use std::collections::BTreeSet;

use commute_model::{Finding, Scene, WitnessKind};

use super::order::Order;
use super::path;

/// Shorter runs are shown as they are.
const SHORT: usize = 26;
/// So many events are shown before and after one that matters.
const AROUND: usize = 1;
/// More rows are not shown; those that matter most come first.
const MOST: usize = 120;
/// Nor more lanes, unless more threads matter.
const MOST_LANES: usize = 10;

/// A row of a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Row {
    /// An event, by its place in the scene.
    Event(usize),
    /// So many events that are not shown.
    Gap(u64),
}

/// The rows of the events of a scene, in an order.
pub(super) fn rows(finding: &Finding, scene: &Scene, order: &Order) -> Vec<Row> {
    let wanted = wanted(finding, scene, order);
    let mut rows = Vec::new();
    // What lies between two events is counted by their positions: the scene need not
    // have all of it.
    let mut previous = 0;
    let mut gap = |next: u64, rows: &mut Vec<Row>| {
        let hidden = next.saturating_sub(previous).saturating_sub(1);
        previous = next;
        if hidden > 0 {
            rows.push(Row::Gap(hidden));
        }
    };
    let events = order.places.iter().zip(&order.positions);
    for (at, (place, position)) in events.enumerate() {
        if wanted.contains(&at) {
            gap(*position, &mut rows);
            rows.push(Row::Event(*place));
        }
    }
    if let Some(total) = order.total {
        gap(total.saturating_add(1), &mut rows);
    }
    rows
}

/// The positions in an order of what is shown.
fn wanted(finding: &Finding, scene: &Scene, whole: &Order) -> BTreeSet<usize> {
    let order = &whole.places[..];
    let marks = marks(finding, scene);
    let mut places = vec![usize::MAX; scene.moments.len()];
    for (at, place) in order.iter().enumerate() {
        places[*place] = at;
    }
    let position = |index: u64| {
        let place = scene.moments.binary_search_by_key(&index, |m| m.index);
        let position = place.ok().map(|place| places[place]);
        position.filter(|at| *at < order.len())
    };
    let marked: Vec<usize> = marks.iter().filter_map(|index| position(*index)).collect();
    // Without what ordered them they would look like events that nothing orders.
    let ordered = path::between_all(scene, whole, &marked);
    let thread = |at: &usize| scene.moments[order[*at]].thread;
    let lanes = lanes(scene, &marks, ordered.iter().map(thread));
    let in_lane = |at: &usize| lanes.contains(&thread(at));
    if order.len() <= SHORT {
        return (0..order.len()).filter(in_lane).collect();
    }
    let mut wanted = BTreeSet::new();
    let mut want = |positions: &mut dyn Iterator<Item = usize>| {
        for at in positions.filter(|at| *at < order.len()) {
            if wanted.len() < MOST && in_lane(&at) {
                wanted.insert(at);
            }
        }
    };
    // Of a long cycle both ends are shown, and something of every thread.
    let mut met = BTreeSet::new();
    want(&mut marked.iter().copied().filter(|at| met.insert(thread(at))));
    let both_ends = marked.iter().zip(marked.iter().rev());
    want(&mut both_ends.flat_map(|(first, last)| [*first, *last]));
    want(&mut ordered.iter().copied());
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
    // Where their threads begin and end.
    let threads = threads(scene, &marks);
    let of_threads = scene.arrows.iter().filter(|arrow| {
        let own = match &*arrow.why {
            "fork" => scene.moment(arrow.to),
            "join" => scene.moment(arrow.from),
            _ => None,
        };
        own.is_some_and(|moment| threads.contains(&moment.thread))
    });
    want(&mut of_threads.flat_map(|arrow| [arrow.from, arrow.to].into_iter().filter_map(position)));
    // The first event of a thread need not be in the scene, but who forked it may be.
    let forks: BTreeSet<String> = { threads.iter() }
        .map(|thread| format!("fork({})", scene.threads[*thread]))
        .collect();
    let forked = |at: &usize| forks.contains(&scene.moments[order[*at]].action);
    want(&mut (0..order.len()).filter(forked));
    // What their threads did just before and after.
    let near = marked.iter();
    let near = near.flat_map(|at| at.saturating_sub(AROUND)..=at.saturating_add(AROUND));
    let of_them = |at: &usize| {
        { order.get(*at) }.is_some_and(|place| threads.contains(&scene.moments[*place].thread))
    };
    want(&mut near.filter(of_them));
    // A gap of one is no gain.
    let last = order.len() - 1;
    let single = |at: &usize| {
        (*at == 0 || wanted.contains(&(at - 1))) && (*at == last || wanted.contains(&(at + 1)))
    };
    let singles = (0..order.len()).filter(single).filter(in_lane);
    let singles: Vec<usize> = singles.collect();
    wanted.extend(singles);
    wanted
}

/// The events that a finding is about: with the two of each edge of a cycle, and the ends
/// of a reordering.
fn marks(finding: &Finding, scene: &Scene) -> Vec<u64> {
    let mut marks = scene.marks.clone();
    if let Some(witness) = &finding.witness {
        match witness.kind {
            WitnessKind::Cycle => marks.extend(&witness.steps),
            WitnessKind::Reordering => marks.extend(witness.steps.iter().rev().take(2)),
            _ => {}
        }
    }
    marks
}

/// The threads of events.
fn threads(scene: &Scene, events: &[u64]) -> BTreeSet<usize> {
    { events.iter() }
        .filter_map(|index| scene.moment(*index))
        .map(|moment| moment.thread)
        .collect()
}

/// The threads that are shown: those that matter, however many, these, and the first others
/// as far as there is room.
fn lanes(scene: &Scene, marks: &[u64], also: impl Iterator<Item = usize>) -> BTreeSet<usize> {
    let mut lanes = threads(scene, marks);
    lanes.extend(also);
    for thread in 0..scene.threads.len() {
        if lanes.len() < MOST_LANES {
            lanes.insert(thread);
        }
    }
    lanes
}

#[cfg(test)]
mod tests {
    use commute_model::{Arrow, Extent, ExtentKind, Moment, Witness};

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
        let total = scene.moments.last().map(|last| last.index);
        let rows = rows(finding, scene, &Order::recorded(finding, scene, total));
        let shown = |row: &Row| match row {
            Row::Event(place) => scene.moments[*place].index.to_string(),
            Row::Gap(hidden) => format!("({hidden})"),
        };
        let shown: Vec<String> = rows.iter().map(shown).collect();
        shown.join(" ")
    }

    #[test]
    fn what_matters_is_shown_and_the_rest_is_counted() {
        let expected = "(39) 40 (8) 49 50 51 (8) 60 (29) 90 91 92 (8)";
        assert_eq!(shown(&pair(), &long(100)), expected);
    }

    /// If not all of a cycle can be shown, it can be seen how it closes.
    #[test]
    fn both_ends_of_a_long_cycle_are_shown() {
        let mut scene = long(1000);
        scene.extents.clear();
        scene.marks = (100..=900).step_by(2).chain([901]).collect();
        let shown = shown(&pair(), &scene);
        assert!(shown.starts_with("(99) 100 101 102 "), "{shown}");
        assert!(shown.ends_with(" 900 901 (99)"), "{shown}");
    }

    #[test]
    fn what_is_not_in_the_scene_is_counted_too() {
        let mut scene = long(100);
        scene
            .moments
            .retain(|moment| !(20..=45).contains(&moment.index));
        for moment in &mut scene.moments {
            moment.index += 1000;
        }
        scene.marks = vec![1050, 1091];
        scene.extents.clear();
        let expected = "(1048) 1049 1050 1051 (38) 1090 1091 1092 (8)";
        assert_eq!(shown(&pair(), &scene), expected);
        // Also if nothing is folded.
        scene.moments.retain(|moment| moment.index % 20 == 11);
        let expected = "(1010) 1011 (39) 1051 (19) 1071 (19) 1091";
        assert_eq!(shown(&pair(), &scene), expected);
    }

    #[test]
    fn all_edges_of_a_cycle_are_shown() {
        let mut cycle = pair();
        cycle.witness = Some(Witness {
            kind: WitnessKind::Cycle,
            prefix: 0,
            steps: vec![50, 71, 74, 91],
        });
        let expected = "(39) 40 (8) 49 50 51 (8) 60 (9) 70 71 72 73 74 75 (14) 90 91 92 (8)";
        assert_eq!(shown(&cycle, &long(100)), expected);
    }

    #[test]
    fn neighbours_are_of_the_threads_that_matter_and_forks_are_theirs() {
        let mut scene = long(100);
        scene.threads.push("T3".to_owned());
        scene.extents.clear();
        for moment in &mut scene.moments {
            match moment.index {
                5 => moment.action = "fork(T2)".to_owned(),
                6 => moment.action = "fork(T3)".to_owned(),
                49 | 92 => moment.thread = 2,
                _ => {}
            }
        }
        let expected = "(4) 5 (44) 50 51 (38) 90 91 (9)";
        assert_eq!(shown(&pair(), &scene), expected);
    }

    #[test]
    fn what_ordered_the_events_is_shown() {
        let mut scene = long(100);
        scene.extents.clear();
        // Over a thread that would have no lane.
        scene.threads = (0..40).map(|number| format!("T{number}")).collect();
        for moment in &mut scene.moments {
            if matches!(moment.index, 65 | 80) {
                moment.thread = 39;
            }
        }
        let lock = |(from, to)| Arrow {
            from,
            to,
            why: "lock".to_owned(),
        };
        let arrows = [(20, 31), (60, 65), (80, 85), (96, 99)];
        scene.arrows = arrows.map(lock).to_vec();
        let expected = "(48) 49 50 51 (8) 60 (4) 65 (14) 80 (4) 85 (4) 90 91 92 (8)";
        assert_eq!(shown(&pair(), &scene), expected);
    }

    #[test]
    fn every_event_is_in_one_row_or_counted_in_one() {
        for events in 92..140 {
            let scene = long(events);
            let mut backwards = Order::recorded(&pair(), &scene, Some(events + 3));
            backwards.places.reverse();
            let forwards = Order::recorded(&pair(), &scene, Some(events + 3));
            for order in [forwards, backwards] {
                let rows = rows(&pair(), &scene, &order);
                let count: u64 = { rows.iter() }
                    .map(|row| match row {
                        Row::Event(_) => 1,
                        Row::Gap(hidden) => *hidden,
                    })
                    .sum();
                assert_eq!(count, events + 3);
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
        let of = |scene: &Scene| lanes(scene, &marks(&pair(), scene), [].into_iter());
        let some = of(&scene);
        assert_eq!(some.len(), MOST_LANES);
        // Of the events 50 and 91.
        assert!(some.contains(&10) && some.contains(&11));
        scene.marks = (20..=60).collect();
        assert_eq!(of(&scene).len(), 40);
    }
}
