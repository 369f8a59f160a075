//! `dpor` runs every class of equivalent runs, and none twice; `mcr` and `ncmc` run
//! nothing twice. Classes are judged here by definition: what every thread did and got,
//! and the order of steps that cannot be swapped.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use commute_explore::{
    Called, Dpor, Ending, Engine, Exhaustive, Knowledge, Limits, Mcr, Ncmc, ObjectId, Operation,
    Run, Step, Subject, Watch, World,
};
use commute_model::Value;

use crate::interpreted::{Interpreted, Source};
use crate::programs;
use crate::random::{Dice, program};

/// Every step with all steps that have to come before it, told by thread and number.
type Class = BTreeSet<((u32, usize), String, BTreeSet<(u32, usize)>)>;

fn class(run: &Run, known: &Knowledge) -> Option<Class> {
    let mut class = Class::new();
    let mut counts: HashMap<u32, usize> = HashMap::new();
    let mut names = Vec::new();
    let mut before: Vec<BTreeSet<usize>> = Vec::new();
    for (place, step) in run.steps.iter().enumerate() {
        let count = counts.entry(step.thread.0).or_default();
        names.push((step.thread.0, *count));
        *count += 1;
        let mut all = BTreeSet::new();
        for (earlier, other) in run.steps[..place].iter().enumerate() {
            if in_order(other, step, known)? {
                all.insert(earlier);
                all.extend(&before[earlier]);
            }
        }
        let told = format!("{:?}", (step.op, step.result));
        let named = all.iter().map(|earlier| names[*earlier]).collect();
        class.insert((names[place], told, named));
        before.push(all);
    }
    Some(class)
}

/// Whether the second cannot come before the first. Nothing if that depends on the
/// state.
fn in_order(first: &Step, second: &Step, known: &Knowledge) -> Option<bool> {
    let (a, b) = (known.operation(first.op), known.operation(second.op));
    if first.thread == second.thread || a.spawns == Some(second.thread) {
        return Some(true);
    }
    let Some(object) = a.objects.iter().find(|o| b.objects.contains(o)) else {
        return Some(false);
    };
    if known.only_reads(first.op, first.result) && known.only_reads(second.op, second.result) {
        return Some(false);
    }
    if a.objects.len() + b.objects.len() > 2 {
        return Some(true);
    }
    let swaps = known
        .model(*object)
        .swaps(called(a, first, known), called(b, second, known));
    swaps.map(|swaps| !swaps)
}

fn called<'a>(operation: &'a Operation, step: &Step, known: &'a Knowledge) -> Called<'a> {
    Called {
        method: operation.method,
        args: &operation.args,
        result: known.value(step.result),
    }
}

/// The classes of the runs that an engine does.
struct Classes {
    seen: BTreeSet<Class>,
    runs: usize,
    /// Runs that were not gone on with.
    abandoned: usize,
    most: usize,
    /// Whether it can be said what a class is.
    decided: bool,
}

impl Watch for Classes {
    fn ran(&mut self, run: &Run, _: bool, known: &Knowledge) -> ControlFlow<()> {
        self.runs += 1;
        match (&run.ending, class(run, known)) {
            (Ending::Finished | Ending::Deadlock(_), Some(class)) => {
                self.seen.insert(class);
            }
            (_, None) => self.decided = false,
            _ => self.abandoned += 1,
        }
        match self.decided && self.runs < self.most {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}

fn classes(engine: &mut dyn Engine, source: &Source, most: usize) -> Option<Classes> {
    let mut program = Interpreted::new(source.clone());
    let mut subject = Subject::new(&mut program, Limits::default());
    let mut classes = Classes {
        seen: BTreeSet::new(),
        runs: 0,
        abandoned: 0,
        most,
        decided: true,
    };
    engine.explore(&mut subject, &mut classes);
    (classes.decided && classes.runs < most).then_some(classes)
}

#[test]
fn dpor_runs_every_class_once() {
    let (mut compared, mut several) = (0, 0);
    for seed in programs(150, 1_000) {
        let source = program(&mut Dice::new(seed), 3, 3);
        let Some(dpor) = classes(&mut Dpor, &source, 3_000) else {
            continue;
        };
        assert_eq!(dpor.abandoned, 0, "seed {seed}: {:#?}", source.threads);
        assert_eq!(
            dpor.runs,
            dpor.seen.len(),
            "seed {seed}: {:#?}",
            source.threads
        );
        if let Some(all) = classes(&mut Exhaustive::default(), &source, 1_000) {
            assert_eq!(dpor.seen.len(), all.seen.len(), "seed {seed}");
            compared += 1;
            several += usize::from(dpor.runs > 1);
        }
    }
    assert!(several > 50, "{several} of {compared}");
    println!("{compared} programs, {several} with several classes");
}

/// What a run is for `mcr`, and for `ncmc` with `invoked` (Definition 4.3.11): what every
/// thread did and got, for what changes memory the state that it found, for invocations
/// those before that they do not commute with, and what is left at the end. By the
/// models alone.
fn semantic(run: &Run, known: &Knowledge, invoked: bool) -> Option<String> {
    let mut states: HashMap<ObjectId, Value> = HashMap::new();
    let mut threads: Vec<Vec<String>> = vec![Vec::new(); run.places.len()];
    let mut names = Vec::new();
    for (place, step) in run.steps.iter().enumerate() {
        let operation = known.operation(step.op);
        let initial = |object: ObjectId| known.state(&World::default(), object).clone();
        let found: Vec<Value> = { operation.objects.iter() }
            .map(|o| states.get(o).cloned().unwrap_or_else(|| initial(*o)))
            .collect();
        let model = known.model(operation.objects[0]);
        let refs: Vec<&Value> = found.iter().collect();
        let stepped = model.step(&refs, operation.method, &operation.args);
        let stepped = stepped.expect("it happened");
        assert_eq!(stepped.result, *known.value(step.result));
        for (object, state) in operation.objects.iter().zip(stepped.states) {
            states.insert(*object, state);
        }
        let depends = if invoked && model.is_specified() {
            let mut after: Vec<&(usize, usize)> = Vec::new();
            for (earlier, name) in run.steps[..place].iter().zip(&names) {
                if earlier.thread != step.thread && in_order(earlier, step, known)? {
                    let shared = known.operation(earlier.op).objects[0] == operation.objects[0];
                    after.extend(shared.then_some(name));
                }
            }
            after.sort();
            format!("{after:?}")
        } else if known.only_reads(step.op, step.result) || model.overwrites(operation.method) {
            String::new()
        } else {
            format!("{found:?}")
        };
        let thread = &mut threads[step.thread.index()];
        names.push((step.thread.index(), thread.len()));
        thread.push(format!("{:?} {:?} {depends}", step.op, step.result));
    }
    Some(format!("{threads:?} {:?} {:?}", run.places, run.world))
}

struct Twice {
    seen: BTreeSet<String>,
    invoked: bool,
    runs: usize,
    decided: bool,
}

impl Watch for Twice {
    fn ran(&mut self, run: &Run, _: bool, known: &Knowledge) -> ControlFlow<()> {
        self.runs += 1;
        let Some(semantic) = semantic(run, known, self.invoked) else {
            self.decided = false;
            return ControlFlow::Break(());
        };
        self.seen.insert(semantic);
        match self.runs < 300 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}

fn runs_nothing_twice(engine: &mut dyn Engine, invoked: bool) {
    let mut several = 0;
    for seed in programs(100, 1_000) {
        let source = program(&mut Dice::new(seed), 3, 3);
        let mut program = Interpreted::new(source.clone());
        let mut subject = Subject::new(&mut program, Limits::default());
        let mut twice = Twice {
            seen: BTreeSet::new(),
            invoked,
            runs: 0,
            decided: true,
        };
        engine.explore(&mut subject, &mut twice);
        if twice.decided {
            assert_eq!(
                twice.runs,
                twice.seen.len(),
                "seed {seed}: {:#?}",
                source.threads
            );
            several += usize::from(twice.runs > 1);
        }
    }
    assert!(several > 50, "{several}");
}

#[test]
fn mcr_runs_nothing_twice() {
    runs_nothing_twice(&mut Mcr, false);
}

#[test]
fn ncmc_runs_no_two_that_are_equivalent() {
    runs_nothing_twice(&mut Ncmc, true);
}
