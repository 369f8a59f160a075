//! What atomics put in order, in an order of events that is not the recorded one.

use std::collections::{BTreeMap, BTreeSet};

use commute_model::{Arrow, Moment, Scene};

/// What such an arrow says.
pub(super) const WHY: &str = "atomic";

/// From each action on an atomic to the next one, if another thread does that. Atomics are
/// the objects that ordered threads in the recorded run: of one that did not, all actions in
/// the scene are of one thread.
pub(super) fn arrows(scene: &Scene, places: &[usize]) -> Vec<Arrow> {
    let ends = { scene.arrows.iter() }
        .filter(|arrow| arrow.why == WHY)
        .flat_map(|arrow| [arrow.from, arrow.to]);
    let moment = |index| {
        let place = scene.moments.binary_search_by_key(&index, |m| m.index);
        place.ok().map(|place| &scene.moments[place])
    };
    let atomics: BTreeSet<&str> = ends.filter_map(|end| object(moment(end)?)).collect();
    let mut last: BTreeMap<&str, &Moment> = BTreeMap::new();
    let mut arrows = Vec::new();
    for now in places.iter().map(|place| &scene.moments[*place]) {
        let Some(atomic) = object(now).filter(|name| atomics.contains(name)) else {
            continue;
        };
        if let Some(before) = last.insert(atomic, now)
            && before.thread != now.thread
        {
            arrows.push(Arrow {
                from: before.index,
                to: now.index,
                why: WHY.to_owned(),
            });
        }
    }
    arrows
}

/// The object of an action: `flag` of `flag.store(1)`.
fn object(moment: &Moment) -> Option<&str> {
    let (call, _) = moment.action.split_once('(')?;
    Some(call.rsplit_once('.')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_one_comes_after_the_one_before() {
        let moment = |(index, (thread, action)): (u64, &(usize, &str))| Moment {
            index,
            thread: *thread,
            action: (*action).to_owned(),
            location: String::new(),
            clock: Vec::new(),
        };
        let actions = [
            (0, "a.rs:1.store(1)"),
            (1, "a.rs:1.load()/1"),
            (1, "other.put(1)/nil"),
            (0, "other.put(2)/nil"),
            (0, "a.rs:1.load()/1"),
            (1, "w(x)"),
        ];
        let mut scene = Scene {
            moments: (1..).zip(&actions).map(moment).collect(),
            ..Scene::default()
        };
        let between = |arrows: Vec<Arrow>| -> Vec<(u64, u64)> {
            arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect()
        };
        let all = [0, 1, 2, 3, 4, 5];
        assert_eq!(between(arrows(&scene, &all)), [], "nothing is an atomic");
        scene.arrows = vec![Arrow {
            from: 1,
            to: 2,
            why: WHY.to_owned(),
        }];
        assert_eq!(between(arrows(&scene, &all)), [(1, 2), (2, 5)]);
        // The first two events are of one thread now.
        assert_eq!(between(arrows(&scene, &[0, 3, 4, 1])), [(5, 2)]);
    }
}
