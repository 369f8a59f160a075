//! `outcomes` against everything that can be reached: nothing is missed, nothing is
//! made up, and no run is redundant.

use commute_explore::{Extent, Outcomes};

use crate::outcomes_of::explored;
use crate::random::{Dice, program};
use crate::reachable::reachable;
use crate::{POINTS, programs};

fn agrees(engine: Outcomes, seeds: std::ops::Range<u64>, threads: usize, length: usize) {
    let (mut compared, mut outcomes) = (0, 0);
    for seed in seeds {
        let source = program(&mut Dice::new(seed), threads, length);
        let Some(all) = reachable(&source, POINTS) else {
            continue;
        };
        let mut engine = engine;
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

#[test]
fn the_graph_has_every_outcome_once() {
    agrees(Outcomes::default(), programs(400, 4_000), 3, 2);
    agrees(Outcomes::default(), programs(100, 2_000), 4, 3);
}

#[test]
fn without_the_graph_every_outcome_is_covered_once() {
    agrees(Outcomes { nodes: 0 }, programs(400, 4_000), 3, 2);
    agrees(Outcomes { nodes: 0 }, programs(100, 2_000), 4, 3);
}
