//! Engines against the one that runs every interleaving, on random programs.

mod interpreted;
mod outcomes;
mod outcomes_of;
mod random;
mod session;

use commute_explore::{Exhaustive, Extent};
use outcomes_of::{Outcome, explored};
use random::{Dice, program};

#[test]
fn exhaustive_sees_every_order() {
    let mut several = 0;
    for seed in 0..300 {
        let source = program(&mut Dice::new(seed), 3, 2);
        let Some(seen) = explored(&mut Exhaustive, &source, 2_000) else {
            continue;
        };
        assert_eq!(seen.extent, Extent::Everything);
        assert_eq!(seen.counts.outcomes, seen.outcomes.len() as u64);
        several += usize::from(seen.outcomes.len() > 1);
    }
    assert!(
        several > 50,
        "only {several} programs do more than one thing"
    );
}

#[test]
fn deadlocks_and_panics_are_outcomes() {
    let (mut deadlocks, mut panics) = (0, 0);
    for seed in 0..300 {
        let source = program(&mut Dice::new(seed), 3, 2);
        if let Some(seen) = explored(&mut Exhaustive, &source, 2_000) {
            deadlocks += seen.outcomes.iter().filter(|o| o.is_deadlock()).count();
            panics += seen.outcomes.iter().filter(|o| Outcome::fails(o)).count();
        }
    }
    assert!(deadlocks > 30 && panics > 2, "{deadlocks} {panics}");
}
