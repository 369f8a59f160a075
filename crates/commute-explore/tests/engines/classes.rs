//! `dpor` runs every class of equivalent runs, and none twice. Classes are judged here by
//! definition: what every thread did and got, and the order of steps that cannot be
//! swapped.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use commute_explore::{
    Called, Dpor, Ending, Engine, Exhaustive, Knowledge, Limits, Operation, Run, Step, Subject,
    Watch,
};

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
    for seed in programs(300, 3_000) {
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
