//! The order in which a diagram has the events of a scene, and where each is in the whole
//! run: a scene may have only parts of it.

use std::collections::BTreeMap;

use commute_model::{Arrow, Extent, ExtentKind, Finding, Scene, WitnessKind};

use super::atomics;
use crate::site::is_of_source;

/// The events of a scene in an order.
pub(super) struct Order {
    /// The events, as places in the scene.
    pub(super) places: Vec<usize>,
    /// The position of each in the whole run, from 1; they grow.
    pub(super) positions: Vec<u64>,
    /// How many events the whole run has, if that is known.
    pub(super) total: Option<u64>,
    /// What orders events of two threads.
    pub(super) arrows: Vec<Arrow>,
    /// Whether it is the recorded one: the clocks are those of that order.
    pub(super) is_recorded: bool,
}

impl Order {
    /// As they came, in a run of so many events.
    pub(super) fn recorded(finding: &Finding, scene: &Scene, total: Option<u64>) -> Order {
        let kind = finding.witness.as_ref().map(|witness| witness.kind);
        let is_schedule = matches!(kind, Some(WitnessKind::Schedule | WitnessKind::History));
        let count = scene.moments.len() as u64;
        // A schedule, or the way of a value, is there as a whole: numbers that are left
        // out are steps that do nothing.
        let (positions, total) = match is_schedule || is_of_source(finding) {
            true => ((1..=count).collect(), Some(count)),
            false => {
                let indices: Vec<u64> = scene.moments.iter().map(|m| m.index.max(1)).collect();
                let last = indices.last().copied();
                (indices, total.filter(|total| Some(*total) >= last))
            }
        };
        Order {
            places: (0..scene.moments.len()).collect(),
            positions,
            total,
            arrows: scene.arrows.clone(),
            is_recorded: true,
        }
    }

    /// Whether what ends with this event in the recorded run has no end in what is to be
    /// seen of this one: there it has none, or later, or here the event does not happen.
    pub(super) fn goes_on(&self, scene: &Scene, to: Option<u64>) -> bool {
        let Some(to) = to else { return true };
        let place = scene.moments.binary_search_by_key(&to, |m| m.index);
        match place {
            Ok(place) => !self.is_recorded && !self.places.contains(&place),
            // It may be in a gap.
            Err(place) => place == scene.moments.len(),
        }
    }

    /// As the evidence has them, if that is another order.
    pub(super) fn reordered(finding: &Finding, scene: &Scene) -> Option<Order> {
        let witness = finding.witness.as_ref()?;
        if witness.kind != WitnessKind::Reordering || finding.scene.is_none() {
            return None;
        }
        let place = |index: &u64| {
            let place = scene.moments.binary_search_by_key(index, |m| m.index);
            place.ok()
        };
        let before = scene.moments.iter().enumerate();
        let before = before
            .take_while(|(_, moment)| moment.index <= witness.prefix)
            .map(|(place, moment)| (place, moment.index.max(1)));
        // What is stored may say anything.
        let position = |step: usize| witness.prefix.saturating_add(step as u64 + 1);
        let steps = witness.steps.iter().enumerate();
        let steps = steps.filter_map(|(step, index)| Some((place(index)?, position(step))));
        let (places, positions): (Vec<usize>, Vec<u64>) = before.chain(steps).unzip();
        let mut arrows: Vec<Arrow> = scene.arrows.iter().filter(|a| holds(a)).cloned().collect();
        arrows.extend(locks(scene, &places));
        arrows.extend(atomics::arrows(scene, &places));
        Some(Order {
            places,
            positions,
            total: Some(witness.prefix.saturating_add(witness.steps.len() as u64)),
            arrows,
            is_recorded: false,
        })
    }
}

/// Whether what orders two events in the recorded run does so in every other: who gets a
/// lock first, or an atomic, may be another one.
fn holds(arrow: &Arrow) -> bool {
    !matches!(&*arrow.why, "lock" | atomics::WHY)
}

/// Who gave a lock on.
#[derive(Default)]
struct Released {
    /// Who held it alone, and since then those who only read: thread and event.
    alone: Option<(usize, u64)>,
    together: Vec<(usize, u64)>,
}

/// From each release of a lock to the next acquisition by another thread, in an order. Who
/// only reads does not wait for others who do.
fn locks(scene: &Scene, places: &[usize]) -> Vec<Arrow> {
    let held = || scene.extents.iter().filter(|e| e.kind != ExtentKind::Block);
    let mut begun: BTreeMap<u64, Vec<&Extent>> = BTreeMap::new();
    let mut ended: BTreeMap<u64, Vec<&Extent>> = BTreeMap::new();
    for extent in held() {
        begun.entry(extent.from).or_default().push(extent);
        if let Some(to) = extent.to {
            ended.entry(to).or_default().push(extent);
        }
    }
    let mut released: BTreeMap<&str, Released> = BTreeMap::new();
    let mut arrows = Vec::new();
    for moment in places.iter().map(|place| &scene.moments[*place]) {
        let index = moment.index;
        for extent in begun.get(&index).into_iter().flatten() {
            let before = released.entry(&extent.name).or_default();
            let readers = match extent.kind {
                ExtentKind::Lock => &before.together[..],
                _ => &[],
            };
            for (thread, from) in before.alone.iter().chain(readers) {
                if *thread != extent.thread {
                    arrows.push(Arrow {
                        from: *from,
                        to: index,
                        why: "lock".to_owned(),
                    });
                }
            }
        }
        for extent in ended.get(&index).into_iter().flatten() {
            let now = released.entry(&extent.name).or_default();
            if extent.kind == ExtentKind::SharedLock {
                // Of each reader the last time counts.
                now.together.retain(|(thread, _)| *thread != extent.thread);
                now.together.push((extent.thread, index));
            } else {
                now.alone = Some((extent.thread, index));
                now.together.clear();
            }
        }
    }
    arrows
}

#[cfg(test)]
mod tests {
    use commute_model::{Moment, Witness};

    use super::*;
    use crate::html::diagram::tests::pair;

    fn scene(indices: &[u64]) -> Scene {
        let moment = |index: &u64| Moment {
            index: *index,
            thread: *index as usize % 3,
            action: String::new(),
            location: String::new(),
            clock: Vec::new(),
        };
        Scene {
            threads: ["T0", "T1", "T2"].map(str::to_owned).to_vec(),
            moments: indices.iter().map(moment).collect(),
            ..Scene::default()
        }
    }

    fn reordering(prefix: u64, steps: &[u64]) -> Finding {
        let mut finding = pair();
        finding.witness = Some(Witness {
            kind: WitnessKind::Reordering,
            prefix,
            steps: steps.to_vec(),
        });
        finding
    }

    #[test]
    fn a_witness_has_its_own_order() {
        let mut finding = reordering(2, &[5, 6, 9, 3]);
        let scene = scene(&[1, 2, 3, 4, 5, 6]);
        assert!(Order::reordered(&finding, &scene).is_none(), "no run");
        finding.scene = Some(Box::new(scene.clone()));
        let order = Order::reordered(&finding, &scene).unwrap();
        assert_eq!(order.places, [0, 1, 4, 5, 2]);
        // The third step, event 9, is not in the scene.
        assert_eq!(order.positions, [1, 2, 3, 4, 6]);
        assert_eq!(order.total, Some(6));
    }

    #[test]
    fn the_position_of_an_event_is_that_in_the_trace() {
        let scene = scene(&[4, 5, 900]);
        let positions = |total| {
            let order = Order::recorded(&pair(), &scene, total);
            (order.positions, order.total)
        };
        assert_eq!(positions(Some(1000)), (vec![4, 5, 900], Some(1000)));
        // That is of another trace.
        assert_eq!(positions(Some(7)), (vec![4, 5, 900], None));
    }

    #[test]
    fn locks_are_given_on_in_the_order_of_the_witness() {
        // Recorded: T0 holds m (3 to 6), then T1 (7 to 10), then T2 reads (11 to 14).
        let mut scene = scene(&[3, 6, 7, 10, 11, 14]);
        let extent = |thread, from, to, kind| Extent {
            thread,
            from,
            to: Some(to),
            kind,
            name: "m".to_owned(),
        };
        scene.extents = vec![
            extent(0, 3, 6, ExtentKind::Lock),
            extent(1, 7, 10, ExtentKind::Lock),
            extent(2, 11, 14, ExtentKind::SharedLock),
        ];
        scene.arrows = vec![Arrow {
            from: 6,
            to: 7,
            why: "lock".to_owned(),
        }];
        let mut finding = reordering(0, &[11, 14, 7, 10, 3]);
        finding.scene = Some(Box::new(scene.clone()));
        let order = Order::reordered(&finding, &scene).unwrap();
        let arrows: Vec<(u64, u64)> = order.arrows.iter().map(|a| (a.from, a.to)).collect();
        assert_eq!(arrows, [(14, 7), (10, 3)]);
        // Two readers do not wait for each other.
        scene.extents[1].kind = ExtentKind::SharedLock;
        let arrows = locks(&scene, &[4, 5, 2, 3, 0]);
        let arrows: Vec<(u64, u64)> = arrows.iter().map(|a| (a.from, a.to)).collect();
        assert_eq!(arrows, [(14, 3), (10, 3)]);
        // Who reads twice gives it on once.
        scene.extents[2].thread = 1;
        let arrows = locks(&scene, &[4, 5, 2, 3, 0]);
        let arrows: Vec<(u64, u64)> = arrows.iter().map(|a| (a.from, a.to)).collect();
        assert_eq!(arrows, [(10, 3)]);
    }

    #[test]
    fn a_schedule_is_there_as_a_whole() {
        // The third step is the end of a thread, which is not drawn.
        let scene = scene(&[1, 2, 4]);
        let mut finding = reordering(0, &[1, 2, 4]);
        finding.witness.as_mut().unwrap().kind = WitnessKind::Schedule;
        let order = Order::recorded(&finding, &scene, Some(1000));
        assert_eq!(order.positions, [1, 2, 3]);
        assert_eq!(order.total, Some(3));
    }

    #[test]
    fn what_does_not_end_goes_on() {
        let scene = scene(&[2, 3, 5, 6]);
        let mut finding = reordering(2, &[5, 3]);
        finding.scene = Some(Box::new(scene.clone()));
        let recorded = Order::recorded(&finding, &scene, Some(9));
        let witness = Order::reordered(&finding, &scene).unwrap();
        let ends = [None, Some(9), Some(6), Some(4), Some(3)];
        let of = |order: &Order| ends.map(|end| order.goes_on(&scene, end));
        assert_eq!(of(&recorded), [true, true, false, false, false]);
        assert_eq!(of(&witness), [true, true, true, false, false]);
    }
}
