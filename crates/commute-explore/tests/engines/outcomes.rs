//! `outcomes` against everything that can be reached: nothing is missed, nothing is
//! made up, and no run is redundant.

use commute_explore::{Extent, Outcomes};

use crate::outcomes_of::{explored, with_nodes};
use crate::random::{Dice, program};
use crate::reachable::reachable;
use crate::{POINTS, programs};

fn agrees(engine: &Outcomes, seeds: std::ops::Range<u64>, shapes: &[(usize, usize)]) {
    let (mut compared, mut outcomes) = (0, 0);
    for seed in seeds {
        let (threads, length) = shapes[seed as usize % shapes.len()];
        let source = program(&mut Dice::new(seed), threads, length);
        let Some(all) = reachable(&source, POINTS) else {
            continue;
        };
        let mut engine = engine.clone();
        let seen = explored(&mut engine, &source, usize::MAX).expect("no end to it");
        let told = format!("{threads} {length}, seed {seed}: {source:#?}");
        assert_eq!(seen.extent, Extent::Everything, "{told}");
        if seen.outcomes != all {
            let missed: Vec<_> = all.difference(&seen.outcomes).collect();
            let spurious: Vec<_> = seen.outcomes.difference(&all).collect();
            panic!("{told}\nmissed {missed:#?}\nspurious {spurious:#?}");
        }
        assert_eq!(seen.counts.redundant, 0, "{told}");
        assert_eq!(seen.counts.executions, all.len() as u64, "{told}");
        compared += 1;
        outcomes += all.len();
    }
    println!("{compared} programs, {outcomes} outcomes");
}

/// Small ones, of which there are many, and some that do more.
const SMALL: &[(usize, usize)] = &[(3, 2), (3, 3), (4, 2)];
const LARGE: &[(usize, usize)] = &[(4, 3), (5, 2)];

#[test]
fn the_graph_has_every_outcome_once() {
    agrees(&Outcomes::default(), programs(600, 20_000), SMALL);
    agrees(&Outcomes::default(), programs(60, 2_000), LARGE);
}

#[test]
fn without_the_graph_every_outcome_is_covered_once() {
    agrees(&with_nodes(0), programs(600, 20_000), SMALL);
    agrees(&with_nodes(0), programs(60, 2_000), LARGE);
}

/// Where the graph was left off, the rest is covered, and nothing is run again.
#[test]
fn what_the_graph_leaves_is_covered() {
    for nodes in [3, 20, 100] {
        agrees(&with_nodes(nodes), programs(100, 2_000), SMALL);
    }
}
