//! `outcomes` against every interleaving.

use commute_explore::{Exhaustive, Extent, Outcomes};

use crate::outcomes_of::explored;
use crate::random::{Dice, program};

/// How many programs: few where nothing is optimised.
fn programs() -> u64 {
    let given = std::env::var("COMMUTE_PROGRAMS").ok();
    let given = given.and_then(|n| n.parse().ok());
    given.unwrap_or(if cfg!(debug_assertions) { 400 } else { 4_000 })
}

fn agrees(engine: Outcomes, seeds: std::ops::Range<u64>) {
    let (mut compared, mut outcomes) = (0, 0);
    for seed in seeds {
        let source = program(&mut Dice::new(seed), 3, 2);
        let Some(all) = explored(&mut Exhaustive::default(), &source, 3_000) else {
            continue;
        };
        let mut engine = engine;
        let seen = explored(&mut engine, &source, usize::MAX).expect("no end to it");
        assert_eq!(seen.extent, Extent::Everything, "seed {seed}: {source:?}");
        assert_eq!(seen.outcomes, all.outcomes, "seed {seed}: {source:?}");
        assert_eq!(seen.counts.redundant, 0, "seed {seed}: {source:?}");
        assert_eq!(seen.counts.executions, seen.counts.outcomes, "seed {seed}");
        compared += 1;
        outcomes += seen.counts.outcomes;
    }
    println!("{compared} programs, {outcomes} outcomes");
}

#[test]
fn the_graph_has_every_outcome_once() {
    agrees(Outcomes::default(), 0..programs());
}
