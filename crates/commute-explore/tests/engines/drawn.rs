//! Engines that draw schedules, and bounds on preemptions.

use commute_explore::{Exhaustive, Extent, Pct, Random};

use crate::outcomes_of::explored;
use crate::programs;
use crate::random::{Dice, program};
use crate::reachable::reachable;

const ALL: usize = usize::MAX;

#[test]
fn drawn_schedules_see_only_what_there_is_and_say_that_there_may_be_more() {
    let (mut random, mut pct, mut there) = (0, 0, 0);
    for seed in programs(100, 1_000) {
        let source = program(&mut Dice::new(seed), 3, 2);
        let outcomes = reachable(&source, crate::POINTS).expect("a small program");
        let mut engine = Random {
            seed,
            runs: 200,
            preemptions: None,
        };
        let seen = explored(&mut engine, &source, ALL).expect("no limit");
        assert!(matches!(seen.extent, Extent::Some(_)));
        assert!(seen.outcomes.is_subset(&outcomes));
        random += seen.outcomes.len();
        let mut engine = Pct {
            seed,
            runs: 200,
            depth: 4,
        };
        let seen = explored(&mut engine, &source, ALL).expect("no limit");
        assert!(seen.outcomes.is_subset(&outcomes));
        pct += seen.outcomes.len();
        there += outcomes.len();
    }
    assert!(
        random * 10 > there * 8 && pct * 10 > there * 8,
        "of {there} outcomes random saw {random}, pct {pct}"
    );
}

#[test]
fn what_is_drawn_depends_on_the_seed_only() {
    let source = program(&mut Dice::new(7), 3, 3);
    let mut engine = Random {
        seed: 3,
        runs: 20,
        preemptions: None,
    };
    let once = explored(&mut engine, &source, ALL).expect("no limit");
    let again = explored(&mut engine, &source, ALL).expect("no limit");
    assert_eq!(once.outcomes, again.outcomes);
    assert_eq!(once.counts, again.counts);
}

#[test]
fn more_preemptions_see_more_until_all_is_seen() {
    let mut fewer = 0;
    for seed in programs(60, 600) {
        let source = program(&mut Dice::new(seed), 3, 2);
        let Some(all) = explored(&mut Exhaustive::default(), &source, 2_000) else {
            continue;
        };
        let mut before = std::collections::BTreeSet::new();
        let mut runs = 0;
        for bound in 0..12 {
            let mut engine = Exhaustive {
                preemptions: Some(bound),
            };
            let seen = explored(&mut engine, &source, ALL).expect("no limit");
            assert!(matches!(seen.extent, Extent::Some(reason) if reason.starts_with("bounded")));
            assert!(before.is_subset(&seen.outcomes));
            assert!(runs <= seen.counts.executions);
            fewer += usize::from(bound == 0 && seen.outcomes.len() < all.outcomes.len());
            (before, runs) = (seen.outcomes, seen.counts.executions);
        }
        assert_eq!(before, all.outcomes);
    }
    assert!(fewer > 5, "only {fewer} programs need a preemption");
}
