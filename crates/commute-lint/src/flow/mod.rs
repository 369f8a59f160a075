//! Our own analysis: values are followed from region to region, through calls
//! with their contexts.

mod access;
mod acts;
mod beginning;
mod call;
mod claims;
mod conflict;
mod control;
mod cover;
mod decisions;
mod decisive;
mod effect;
mod elements;
mod forget;
mod futures;
mod harmless;
mod interference;
mod judgement;
mod keys;
mod lost;
mod meet;
mod memory;
mod mentions;
mod numbers;
mod order;
mod pair;
mod path;
mod published;
mod rechecks;
mod runners;
mod stale;
mod state;
mod summary;
mod threads;
mod together;
mod torn;
mod unknown;
mod value;
mod volatile;
mod walk;
mod way;
mod words;
mod world;

#[cfg(test)]
mod tests;

use crate::ir::{FunctionId, Program};
use crate::lost::Acquisitions;
use crate::options::Options;
use crate::violation::{Kind, Outcome, Violation};

use runners::Deeds;
use world::World;

/// What our analysis finds.
pub(crate) fn violations(program: &Program, options: &Options) -> Outcome {
    let mut world = World::new(program, *options);
    let followed = world.follow_all();
    let world = world;
    let deeds = Deeds::collect(&world, &followed);
    let mut outcome = Outcome {
        violations: judgement::judge(&world, &deeds, &followed),
        ..Outcome::default()
    };
    for function in &world.unsettled {
        let name = &program.function(*function).name;
        let limit = format!("`{name}` calls itself, and is not followed to the end");
        outcome.limits.push(limit);
    }
    let mut acquisitions = Acquisitions::default();
    for (number, function) in followed.iter().enumerate() {
        let id = FunctionId(number as u32);
        for (site, call, loss) in &function.acquisitions {
            acquisitions.add(program.function(id), *site, call, *loss);
        }
        outcome.regions += function.own_regions;
        if world.summary(id).is_some_and(|summary| summary.cut) {
            let name = &program.functions[number].name;
            outcome
                .limits
                .push(format!("`{name}` is too large to be followed to the end"));
        }
    }
    outcome.lost = acquisitions.lost();
    outcome.violations.sort_by(|a, b| order(a).cmp(&order(b)));
    outcome.violations.dedup();
    outcome
}

fn order(violation: &Violation) -> (Option<&crate::violation::Stop>, Kind) {
    (violation.path.first(), violation.kind)
}
