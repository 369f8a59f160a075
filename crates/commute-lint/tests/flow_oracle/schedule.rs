//! The interleavings of two threads.

use commute_lint::ir::{FunctionId, Program};

use crate::machine::{Code, Machine};
use crate::postdominators::postdominators;
use crate::random::Numbers;
use crate::truth::Truth;

/// How much is tried.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Arguments and initial values from 0 below this number.
    pub(crate) values: i64,
    /// How many interleavings of two calls, if all are wanted: otherwise the
    /// second runs at once between two steps of the first.
    pub(crate) all: Option<usize>,
    /// Whether chance decides where branches go, not values: the analysis does
    /// not look at values either.
    pub(crate) chance: bool,
}

/// What is stale in some run of two public functions.
pub(crate) fn truth(program: &Program, effort: Effort) -> Truth {
    let code = Code {
        program,
        postdominators: program.functions.iter().map(postdominators).collect(),
    };
    let mut truth = Truth::default();
    let processes: Vec<FunctionId> = program
        .processes
        .iter()
        .map(|process| process.function)
        .collect();
    for first in &processes {
        for (number, second) in processes.iter().enumerate() {
            // A function of one region is no first one, and readers disturb nobody.
            let name = |id: &FunctionId| &program.function(*id).name;
            if !name(first).starts_with("public") || name(second).starts_with("get") {
                continue;
            }
            for value in 0..effort.values {
                if effort.all.is_none() && (number as i64 + value) % 2 == 0 {
                    continue;
                }
                let starts = [(*first, value), (*second, value + 1)];
                let mut machine = Machine::new(&code, starts, value / 2);
                machine.chance = effort.chance.then(|| Numbers::new(value as u64));
                machine.advance(&code, &mut truth, 0, false);
                machine.advance(&code, &mut truth, 1, false);
                if effort.chance {
                    // The second may be in the middle when the first begins.
                    for _ in 0..machine.choice(0, 6) {
                        if machine.is_enabled(&code, 1) {
                            machine.advance(&code, &mut truth, 1, true);
                        }
                    }
                }
                match effort.all {
                    Some(mut budget) => all(&code, &mut truth, &machine, &mut budget),
                    None => at_once(&code, &mut truth, machine),
                }
            }
        }
    }
    truth
}

fn all(code: &Code<'_>, truth: &mut Truth, machine: &Machine, budget: &mut usize) {
    let mut ends = true;
    for thread in 0..2 {
        if *budget > 0 && machine.is_enabled(code, thread) {
            ends = false;
            let mut next = machine.clone();
            next.advance(code, truth, thread, true);
            all(code, truth, &next, budget);
        }
    }
    if ends {
        *budget = budget.saturating_sub(1);
    }
}

/// After each step of the first thread: the second runs as far as it can, then
/// the first goes on to its end.
fn at_once(code: &Code<'_>, truth: &mut Truth, mut machine: Machine) {
    while machine.is_enabled(code, 0) {
        machine.advance(code, truth, 0, true);
        let mut run = machine.clone();
        while !(run.threads[0].is_done() && run.threads[1].is_done()) {
            // The first waits for the second only if that holds its lock.
            let thread = match run.is_enabled(code, 1) {
                true => 1,
                false => 0,
            };
            if !run.is_enabled(code, thread) {
                break;
            }
            run.advance(code, truth, thread, true);
        }
    }
}
