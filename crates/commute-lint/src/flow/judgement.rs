//! All functions are judged, by as many threads as there are processors: by
//! then nothing changes any more that one function has to do with another.

use std::cell::RefCell;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::flow::conflict::Conflicts;
use crate::flow::order::Lazy;
use crate::flow::runners::Deeds;
use crate::flow::stale::Judge;
use crate::flow::walk::Followed;
use crate::flow::words::Words;
use crate::flow::world::World;
use crate::ir::FunctionId;
use crate::violation::Violation;

/// Fewer functions than this are not worth a second thread.
const FEW: usize = 200;

/// As much as the first thread has on most systems.
const STACK: usize = 8 << 20;

/// What is wrong in all functions, in their order.
pub(crate) fn judge(world: &World<'_>, deeds: &Deeds, followed: &[Followed]) -> Vec<Violation> {
    let next = AtomicUsize::new(0);
    let judges = world.options.judges.unwrap_or_else(|| {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        processors.min(followed.len().div_ceil(FEW))
    });
    let mut found = thread::scope(|scope| {
        // If there can be no more threads, this one judges all.
        let others = (1..judges).filter_map(|_| {
            let thread = thread::Builder::new().stack_size(STACK);
            let some = || judge_some(world, deeds, followed, &next);
            thread.spawn_scoped(scope, some).ok()
        });
        let others: Vec<_> = others.collect();
        let mut found = judge_some(world, deeds, followed, &next);
        for other in others {
            match other.join() {
                Ok(more) => found.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    });
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().flat_map(|(_, all)| all).collect()
}

/// What is wrong in those functions that no other judge has taken.
fn judge_some(
    world: &World<'_>,
    deeds: &Deeds,
    followed: &[Followed],
    next: &AtomicUsize,
) -> Vec<(usize, Vec<Violation>)> {
    let conflicts = Conflicts::new(world.options);
    let judge = Judge {
        world,
        deeds,
        conflicts: &conflicts,
        options: &world.options,
        together: RefCell::default(),
    };
    let words = Words { world, deeds };
    let mut found = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(function) = followed.get(number) else {
            return found;
        };
        let id = FunctionId(number as u32);
        let order = Lazy::of(world.program.function(id));
        let stale = judge.stale(id, function, &order);
        let torn = judge.torn(id, function, &order);
        let stale = stale.iter().map(|stale| words.stale(function, stale));
        let torn = torn.iter().map(|torn| words.torn(function, torn));
        let all: Vec<Violation> = stale.chain(torn).collect();
        if !all.is_empty() {
            found.push((number, all));
        }
    }
}
