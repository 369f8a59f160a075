//! Engines against the one that runs every interleaving, and against plain reachability,
//! on random programs.

#![expect(clippy::print_stdout, reason = "figures of what was compared")]

mod against_exhaustive;
mod alike;
mod classes;
mod compared;
mod drawn;
mod figures;
mod interpreted;
mod outcomes;
mod outcomes_of;
mod parts;
mod random;
mod reachable;
mod session;
mod thesis;
mod workloads;

use commute_explore::{Exhaustive, Extent};
use outcomes_of::{Outcome, explored};
use random::{Dice, program};
use reachable::reachable;

/// Points of a program that is small enough to be compared.
pub(crate) const POINTS: usize = 20_000;

/// How many random programs: more where it is fast.
pub(crate) fn programs(debug: u64, release: u64) -> std::ops::Range<u64> {
    match std::env::var("COMMUTE_PROGRAMS") {
        Ok(count) => 0..count.parse().expect("a number of programs"),
        Err(_) if cfg!(debug_assertions) => 0..debug,
        Err(_) => 0..release,
    }
}

#[test]
fn exhaustive_sees_what_can_be_reached() {
    let (mut compared, mut several) = (0, 0);
    for seed in programs(400, 4_000) {
        let source = program(&mut Dice::new(seed), 3, 2);
        let Some(seen) = explored(&mut Exhaustive::default(), &source, 2_000) else {
            continue;
        };
        assert_eq!(seen.extent, Extent::Everything);
        assert_eq!(seen.counts.outcomes, seen.outcomes.len() as u64);
        let points = reachable(&source, POINTS).expect("few interleavings, few points");
        assert_eq!(seen.outcomes, points, "seed {seed}: {source:?}");
        compared += 1;
        several += usize::from(seen.outcomes.len() > 1);
    }
    assert!(
        several * 5 > compared * 2 && compared > 100,
        "only {several} of {compared} programs do more than one thing"
    );
}

#[test]
fn deadlocks_and_panics_are_outcomes() {
    let (mut deadlocks, mut panics) = (0, 0);
    for seed in programs(400, 4_000) {
        let source = program(&mut Dice::new(seed), 3, 3);
        if let Some(outcomes) = reachable(&source, POINTS) {
            deadlocks += outcomes.iter().filter(|o| o.is_deadlock()).count();
            panics += outcomes.iter().filter(|o| Outcome::fails(o)).count();
        }
    }
    assert!(deadlocks > 30 && panics > 10, "{deadlocks} {panics}");
}

/// Programs that do one thing only say little of engines.
#[test]
fn random_programs_do_several_things() {
    let (mut one, mut few, mut many, mut too_large) = (0, 0, 0, 0);
    for seed in programs(100, 4_000) {
        let source = program(&mut Dice::new(seed), 4, 3);
        match reachable(&source, POINTS).map(|outcomes| outcomes.len()) {
            None => too_large += 1,
            Some(1) => one += 1,
            Some(2..=9) => few += 1,
            Some(_) => many += 1,
        }
    }
    assert!(
        one < few + many && too_large * 50 < one + few + many,
        "{one} do one thing, {few} a few, {many} many; {too_large} are too large"
    );
}
