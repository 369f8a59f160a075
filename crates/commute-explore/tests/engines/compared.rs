//! Engines that claim to see every outcome, against plain reachability.

use std::rc::Rc;
use std::sync::Arc;

use commute_explore::{
    Called, Dpor, Engine, Exhaustive, Extent, Mcr, Model, Ncmc, Outcomes, Stepped, models,
};
use commute_model::Value;

use crate::interpreted::{Source, Stmt};
use crate::outcomes_of::{Outcome, explored, with_nodes};
use crate::random::{
    Dice, program, program_of_copies, program_of_late_copies, program_that_looks_around,
    program_that_spins,
};
use crate::reachable::reachable;
use crate::{POINTS, programs};

/// Compares on programs of which the engine needs at most so many runs.
fn compare(
    engine: &mut dyn Engine,
    most: usize,
    seeds: std::ops::Range<u64>,
    shapes: &[(usize, usize)],
) {
    compare_on(program, engine, most, seeds, shapes);
}

/// The same, on programs of this kind.
fn compare_on(
    random: fn(&mut Dice, usize, usize) -> Source,
    engine: &mut dyn Engine,
    most: usize,
    seeds: std::ops::Range<u64>,
    shapes: &[(usize, usize)],
) {
    let (mut compared, mut executions, mut total) = (0, 0, 0);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let (threads, length) = shapes[seed as usize % shapes.len()];
        let source = random(&mut Dice::new(seed), threads, length);
        let Some(outcomes) = reachable(&source, POINTS) else {
            continue;
        };
        let Some(seen) = explored(engine, &source, most) else {
            continue;
        };
        assert_eq!(seen.extent, Extent::Everything, "seed {seed}: {source:?}");
        let missing: Vec<&Outcome> = outcomes.difference(&seen.outcomes).collect();
        let wrong: Vec<&Outcome> = seen.outcomes.difference(&outcomes).collect();
        assert!(
            missing.is_empty() && wrong.is_empty(),
            "{}, seed {seed}: {:#?}\nmissing {missing:#?}\nwrong {wrong:#?}",
            engine.name(),
            source.threads
        );
        if engine.name() == "outcomes" {
            assert_eq!(seen.counts.redundant, 0, "seed {seed}: {source:#?}");
        }
        compared += 1;
        executions += seen.counts.executions;
        total += outcomes.len();
    }
    println!(
        "{}: {compared} programs, {total} outcomes, {executions} executions",
        engine.name()
    );
    assert!(
        compared * 10 >= count * 9,
        "only {compared} of {count} programs"
    );
}

#[test]
fn dpor_sees_every_outcome() {
    compare(
        &mut Dpor,
        3_000,
        programs(300, 20_500),
        &[(3, 2), (3, 3), (4, 2)],
    );
}

#[test]
fn mcr_sees_every_outcome() {
    compare(&mut Mcr, 300, programs(120, 20_500), &[(3, 2), (3, 3)]);
}

#[test]
fn ncmc_sees_every_outcome() {
    compare(
        &mut Ncmc,
        300,
        programs(120, 20_500),
        &[(3, 2), (3, 3), (4, 2)],
    );
}

/// All engines that claim to see every outcome.
fn complete() -> [Box<dyn Engine>; 6] {
    [
        Box::new(Exhaustive::default()),
        Box::new(Outcomes::default()),
        Box::new(with_nodes(0)),
        Box::new(Dpor),
        Box::new(Mcr),
        Box::new(Ncmc),
    ]
}

#[test]
fn threads_may_do_the_same() {
    for engine in &mut [Outcomes::default(), with_nodes(0)] {
        let seeds = programs(150, 5_000);
        let shapes = [(4, 2), (5, 1), (4, 3)];
        compare_on(program_of_copies, engine, 5_000, seeds.clone(), &shapes);
        compare_on(program_of_late_copies, engine, 5_000, seeds, &shapes);
    }
}

/// Threads are started when others have done something, and by others.
#[test]
fn threads_may_start_late() {
    for engine in &mut complete() {
        let seeds = programs(60, 1_500);
        let shapes = [(3, 2), (4, 1)];
        compare_on(program_of_late_copies, &mut **engine, 5_000, seeds, &shapes);
    }
}

#[test]
fn threads_may_look_again_and_again() {
    for engine in &mut complete() {
        let seeds = programs(80, 2_000);
        let shapes = [(2, 3), (3, 2)];
        compare_on(program_that_spins, &mut **engine, 1_000, seeds, &shapes);
    }
}

#[test]
fn threads_may_look_at_several_things_again_and_again() {
    for engine in &mut complete() {
        let seeds = programs(80, 2_000);
        let shapes = [(2, 3), (3, 2)];
        compare_on(
            program_that_looks_around,
            &mut **engine,
            1_000,
            seeds,
            &shapes,
        );
    }
}

/// An object of which nobody says what can be swapped: it has to be found out from the
/// states.
#[derive(Debug)]
struct Undecided(Arc<dyn Model>);

impl Model for Undecided {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        self.0.step(states, method, args)
    }

    fn swaps(&self, _: Called<'_>, _: Called<'_>) -> Option<bool> {
        None
    }

    fn is_specified(&self) -> bool {
        // A condition variable and its mutex are one object for the solver.
        !matches!(self.0.name(), "lock" | "condvar")
    }
}

fn program_undecided(dice: &mut Dice, threads: usize, length: usize) -> Source {
    let mut source = program(dice, threads, length);
    for (model, _) in &mut source.objects {
        *model = Arc::new(Undecided(Arc::clone(model)));
    }
    source
}

#[test]
fn what_can_be_swapped_is_found_out_from_states() {
    let engines: [&mut dyn Engine; 2] = [&mut Dpor, &mut Ncmc];
    for engine in engines {
        let seeds = programs(80, 2_000);
        compare_on(program_undecided, engine, 300, seeds, &[(2, 3), (3, 2)]);
    }
}

/// What a thread does that is not started yet is of no importance for what comes before:
/// once it was thought that it had to be there, and was not.
#[test]
fn one_thread_starts_when_others_are_done() {
    let mutex: (Arc<dyn Model>, Value) = (Arc::new(models::Lock), models::Lock::initial());
    let section = |changes| vec![Stmt::Lock(0), Stmt::Unlock(0, changes)];
    let mut first = section(true);
    first.push(Stmt::Start(3));
    let source = Source {
        objects: vec![mutex],
        threads: [first, section(true), section(false), section(false)]
            .map(Rc::from)
            .to_vec(),
    };
    let all = reachable(&source, POINTS).expect("few points");
    let seen = explored(&mut with_nodes(0), &source, 100).expect("few runs");
    assert_eq!(seen.outcomes, all);
    assert_eq!(all.len(), 9);
}
