//! Every engine that claims to see every outcome against `exhaustive`, which runs every
//! interleaving, on random programs that are small enough for that. What the programs do
//! is counted: agreement on programs that do nothing much says nothing.

use std::collections::{BTreeMap, BTreeSet};

use commute_explore::{Dpor, Engine, Exhaustive, Extent, Mcr, Ncmc, Outcomes};

use crate::interpreted::{Source, Stmt};
use crate::outcomes_of::{Outcome, explored, with_nodes};
use crate::random::{Dice, program};

/// Interleavings of a program that is small enough.
const INTERLEAVINGS: usize = 3_000;

const SHAPES: &[(usize, usize)] = &[(3, 2), (3, 3), (4, 2)];

/// How many programs are compared.
fn wanted() -> usize {
    match std::env::var("COMMUTE_PROGRAMS") {
        Ok(count) => count.parse().expect("a number of programs"),
        Err(_) if cfg!(debug_assertions) => 200,
        Err(_) => 20_000,
    }
}

#[test]
fn engines_see_what_exhaustive_sees() {
    let (mut compared, mut outcomes, mut too_large) = (0, 0, 0);
    let mut interleavings = 0;
    let mut executions: BTreeMap<&str, u64> = BTreeMap::new();
    let mut has: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0.. {
        if compared == wanted() {
            break;
        }
        let (threads, length) = SHAPES[seed as usize % SHAPES.len()];
        let source = program(&mut Dice::new(seed), threads, length);
        let Some(all) = explored(&mut Exhaustive::default(), &source, INTERLEAVINGS) else {
            too_large += 1;
            continue;
        };
        assert_eq!(all.extent, Extent::Everything, "seed {seed}");
        let engines: [(&str, &mut dyn Engine); 5] = [
            ("outcomes", &mut Outcomes::default()),
            ("outcomes without its graph", &mut with_nodes(0)),
            ("dpor", &mut Dpor),
            ("ncmc", &mut Ncmc),
            ("mcr", &mut Mcr),
        ];
        for (name, engine) in engines {
            let seen = explored(engine, &source, usize::MAX).expect("there is no limit");
            let told = || format!("{name}, seed {seed}: {:#?}", source.threads);
            assert_eq!(seen.extent, Extent::Everything, "{}", told());
            let missing: Vec<&Outcome> = all.outcomes.difference(&seen.outcomes).collect();
            let wrong: Vec<&Outcome> = seen.outcomes.difference(&all.outcomes).collect();
            assert!(
                missing.is_empty() && wrong.is_empty(),
                "{}\nmissing {missing:#?}\nwrong {wrong:#?}",
                told()
            );
            if name.starts_with("outcomes") {
                assert_eq!(seen.counts.redundant, 0, "{}", told());
            }
            *executions.entry(name).or_default() += seen.counts.executions;
        }
        compared += 1;
        outcomes += all.outcomes.len();
        interleavings += all.counts.executions;
        for feature in features(&source, &all.outcomes) {
            *has.entry(feature).or_default() += 1;
        }
    }
    println!(
        "{compared} programs ({too_large} others are too large), {outcomes} outcomes, \
         {interleavings} interleavings; executions {executions:?}; programs with {has:?}"
    );
    for feature in FEATURES {
        let count = has.get(feature).copied().unwrap_or(0);
        assert!(
            count * 50 >= compared,
            "only {count} of {compared} programs have {feature}"
        );
    }
}

/// What programs have to have, each of them some.
const FEATURES: &[&str] = &[
    "branches",
    "condition variables",
    "deadlocks",
    "joins",
    "mutexes",
    "panics",
    "semaphores",
    "several outcomes",
    "several sorts of objects",
];

/// What there is of that in a program.
fn features(source: &Source, outcomes: &BTreeSet<Outcome>) -> BTreeSet<&'static str> {
    let mut features = BTreeSet::new();
    for body in &source.threads {
        body.iter()
            .for_each(|stmt| add_of(stmt, source, &mut features));
    }
    let sorts: BTreeSet<&str> = { source.objects.iter() }.map(|(m, _)| m.name()).collect();
    let more = [
        (sorts.len() > 1, "several sorts of objects"),
        (outcomes.len() > 1, "several outcomes"),
        (outcomes.iter().any(Outcome::is_deadlock), "deadlocks"),
        (outcomes.iter().any(Outcome::fails), "panics"),
    ];
    features.extend(more.iter().filter(|(has, _)| *has).map(|(_, name)| *name));
    features
}

/// What statements have of that. Only what is called counts, not what is there.
fn add_of(stmt: &Stmt, source: &Source, features: &mut BTreeSet<&'static str>) {
    let sort = |object: usize| match source.objects[object].0.name() {
        "lock" => Some("mutexes"),
        "semaphore" => Some("semaphores"),
        "condvar" => Some("condition variables"),
        _ => None,
    };
    match stmt {
        Stmt::If(_, then, otherwise) if then.len() + otherwise.len() > 0 => {
            features.insert("branches");
            let both = then.iter().chain(&**otherwise);
            both.for_each(|stmt| add_of(stmt, source, features));
        }
        Stmt::Join(_) => {
            features.insert("joins");
        }
        Stmt::Lock(object) | Stmt::Wait(object, _) | Stmt::Call(object, ..) => {
            features.extend(sort(*object));
        }
        _ => {}
    }
}
