//! What put two events in order: the arrows that lead from one to the other.

use std::collections::BTreeMap;

use commute_model::Scene;

use super::order::Order;

/// A longer way is not shown: nobody follows it.
const MOST_ARROWS: usize = 8;
/// Between so many pairs of events ways are looked for.
const MOST_PAIRS: usize = 60;

/// The positions of the events on the ways between each of these positions and the next,
/// where there is a way.
pub(super) fn between_all(scene: &Scene, order: &Order, marked: &[usize]) -> Vec<usize> {
    let mut marked = marked.to_vec();
    marked.sort_unstable();
    marked.dedup();
    let arrows = Arrows::of(scene, order);
    { marked.windows(2).take(MOST_PAIRS) }
        .flat_map(|pair| arrows.between(scene, order, pair[0], pair[1]))
        .collect()
}

/// The arrows of an order, by the positions of the events that they lead from and to.
struct Arrows {
    ends: Vec<(usize, usize)>,
    from: BTreeMap<usize, Vec<usize>>,
    to: BTreeMap<usize, Vec<usize>>,
}

/// How an event can be reached: over how many arrows, and the last of them.
type Way = (usize, Option<usize>);

impl Arrows {
    fn of(scene: &Scene, order: &Order) -> Arrows {
        let mut positions = vec![None; scene.moments.len()];
        for (at, place) in order.places.iter().enumerate() {
            positions[*place] = Some(at);
        }
        let position = |index: u64| {
            let place = scene.moments.binary_search_by_key(&index, |m| m.index);
            place.ok().and_then(|place| positions[place])
        };
        let mut arrows = Arrows {
            ends: Vec::new(),
            from: BTreeMap::new(),
            to: BTreeMap::new(),
        };
        for arrow in &order.arrows {
            if let (Some(from), Some(to)) = (position(arrow.from), position(arrow.to)) {
                let number = arrows.ends.len();
                arrows.ends.push((from, to));
                arrows.from.entry(from).or_default().push(number);
                arrows.to.entry(to).or_default().push(number);
            }
        }
        arrows
    }

    /// The ends of the arrows of a way from one position to a later one, as few as
    /// possible; none if there is no way, or a long one only. One look at each event
    /// between, because arrows lead to later ones.
    fn between(&self, scene: &Scene, order: &Order, first: usize, last: usize) -> Vec<usize> {
        let thread = |at: usize| scene.moments[order.places[at]].thread;
        // The best way into each thread, and to the beginning of each arrow.
        let mut threads: Vec<Option<Way>> = vec![None; scene.threads.len()];
        let mut begun: BTreeMap<usize, Way> = BTreeMap::new();
        threads[thread(first)] = Some((0, None));
        for at in first..=last {
            let way = &mut threads[thread(at)];
            for arrow in self.to.get(&at).into_iter().flatten() {
                if let Some((count, _)) = begun.get(arrow)
                    && way.is_none_or(|(best, _)| count + 1 < best)
                {
                    *way = Some((count + 1, Some(*arrow)));
                }
            }
            if let Some(way) = *way {
                let here = self.from.get(&at).into_iter().flatten();
                begun.extend(here.map(|arrow| (*arrow, way)));
            }
        }
        let mut ends = Vec::new();
        let way = threads[thread(last)].filter(|(count, _)| *count <= MOST_ARROWS);
        let mut arrow = way.and_then(|(_, arrow)| arrow);
        while let Some(number) = arrow {
            let (from, to) = self.ends[number];
            ends.extend([to, from]);
            arrow = begun[&number].1;
        }
        ends.reverse();
        ends
    }
}

#[cfg(test)]
mod tests {
    use commute_model::{Arrow, Moment};
    use proptest::prelude::*;

    use super::*;
    use crate::html::diagram::tests::pair;

    fn scene(threads: &[usize], arrows: &[(u64, u64)]) -> Scene {
        let moment = |(index, thread): (u64, &usize)| Moment {
            index,
            thread: *thread,
            action: String::new(),
            location: String::new(),
            clock: Vec::new(),
        };
        let arrow = |(from, to): &(u64, u64)| Arrow {
            from: *from,
            to: *to,
            why: "lock".to_owned(),
        };
        Scene {
            threads: (0..12).map(|number| format!("T{number}")).collect(),
            moments: (1..).zip(threads).map(moment).collect(),
            arrows: arrows.iter().map(arrow).collect(),
            ..Scene::default()
        }
    }

    fn found(scene: &Scene, first: usize, last: usize) -> Vec<usize> {
        let order = Order::recorded(&pair(), scene, None);
        between_all(scene, &order, &[last, first])
    }

    #[test]
    fn a_way_of_few_arrows_is_shown() {
        // Over T2, or straight.
        let threads = [0, 0, 2, 0, 2, 1, 1, 1];
        let both = scene(&threads, &[(1, 3), (5, 6), (4, 7), (8, 1)]);
        assert_eq!(found(&both, 0, 7), [3, 6]);
        let detour = scene(&threads, &[(1, 3), (5, 6)]);
        assert_eq!(found(&detour, 0, 7), [0, 2, 4, 5]);
        // From the second event there is none.
        assert_eq!(found(&detour, 1, 7), [] as [usize; 0]);
    }

    #[test]
    fn a_long_way_is_not_shown() {
        // Each thread gives on what it got.
        let threads: Vec<usize> = (0..12).collect();
        let arrows: Vec<(u64, u64)> = (1..12).map(|from| (from, from + 1)).collect();
        let scene = scene(&threads, &arrows);
        assert_eq!(found(&scene, 0, 7).len(), 14);
        assert_eq!(found(&scene, 0, 9), [] as [usize; 0]);
    }

    /// How many arrows a way has at least, from the definition: all ways are tried.
    fn fewest(scene: &Scene, first: usize, last: usize) -> Option<usize> {
        if first == last {
            return Some(0);
        }
        let thread = |at: usize| scene.moments[at].thread;
        let next = (first + 1..=last).find(|at| thread(*at) == thread(first));
        let along = next.and_then(|next| fewest(scene, next, last));
        let arrows = scene.arrows.iter().filter(|a| a.from as usize == first + 1);
        let over = arrows.filter_map(|arrow| {
            let to = arrow.to as usize - 1;
            Some(1 + (to <= last).then(|| fewest(scene, to, last))??)
        });
        along.into_iter().chain(over).min()
    }

    proptest! {
        #[test]
        fn no_way_is_shorter(
            threads in prop::collection::vec(0_usize..4, 9),
            arrows in prop::collection::vec((1_u64..9, 1_u64..9), 0..9),
        ) {
            let arrows: Vec<(u64, u64)> =
                arrows.iter().filter(|(from, to)| from < to).copied().collect();
            let scene = scene(&threads, &arrows);
            let ends = found(&scene, 0, 8);
            let expected = fewest(&scene, 0, 8).unwrap_or(0);
            prop_assert_eq!(ends.len(), 2 * expected);
            for arrow in ends.chunks_exact(2) {
                let arrow = (arrow[0] as u64 + 1, arrow[1] as u64 + 1);
                prop_assert!(arrows.contains(&arrow));
            }
            prop_assert!(ends.is_sorted());
        }
    }
}
