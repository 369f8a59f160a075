//! Whether something is done on every way, though each way has its own
//! statement for it: `match outcome { Ok(..) => state = Done, Err(..) => state = Failed }`.

use std::sync::Arc;

use crate::control::{Arm, going_on};
use crate::flow::access::{Access, LONGEST};
use crate::ir::{Function, FunctionId, Program};

/// Among more accesses, or behind more branches, nothing is looked for.
const MOST: usize = 12;

/// Whether one of the accesses happens whenever another does, as far as the
/// branches of their function say.
pub(crate) fn always<'a>(
    program: &Program,
    accesses: impl Iterator<Item = &'a Access>,
    of: &Access,
) -> bool {
    let mut groups: Vec<Vec<&Access>> = Vec::new();
    for access in accesses.filter(|access| function(access).is_some()) {
        match groups
            .iter_mut()
            .find(|group| is_one_call(group[0], access))
        {
            Some(group) => group.push(access),
            None => groups.push(vec![access]),
        }
    }
    groups.iter().any(|group| {
        let own = function(group[0]) == function(of);
        let Some(function) = function(group[0]) else {
            return false;
        };
        let beyond = |access: &&Access| -> Vec<Arm> {
            let arms = access.when.iter().copied();
            arms.filter(|arm| !own || !of.when.contains(arm)).collect()
        };
        let ways: Vec<Vec<Arm>> = group.iter().map(beyond).collect();
        is_whole(program.function(function), &ways)
    })
}

/// The branches that lead to one of several accesses of a function, if they
/// cover all ways from there.
pub(crate) fn joined(function: &Function, ways: &[Arc<[Arm]>]) -> Option<Arc<[Arm]>> {
    let (first, others) = ways.split_first()?;
    let shared = |arm: &&Arm| others.iter().all(|way| way.contains(arm));
    let shared: Vec<Arm> = first.iter().filter(shared).copied().collect();
    let beyond = |way: &Arc<[Arm]>| -> Vec<Arm> {
        let arms = way.iter().copied();
        arms.filter(|arm| !shared.contains(arm)).collect()
    };
    let rest: Vec<Vec<Arm>> = ways.iter().map(beyond).collect();
    is_whole(function, &rest).then(|| Arc::from(shared))
}

/// Whether one of the ways is taken, wherever the branches of a function go.
pub(crate) fn is_whole(function: &Function, ways: &[Vec<Arm>]) -> bool {
    if ways.iter().any(Vec::is_empty) {
        return true;
    }
    let few = ways.len() <= MOST && ways.iter().all(|way| way.len() <= MOST);
    ways.len() > 1 && few && all_ways(&going_on(function), ways)
}

/// Whether two accesses are in one function, called in one place.
fn is_one_call(a: &Access, b: &Access) -> bool {
    let calls = |access: &Access| access.trail.len() - 1;
    a.trail[..calls(a)] == b.trail[..calls(b)] && function(a) == function(b)
}

/// The function of an access, unless it is too deep in others to be known.
fn function(access: &Access) -> Option<FunctionId> {
    let (last, _) = access.trail.last()?;
    (access.trail.len() < LONGEST).then_some(*last)
}

fn all_ways(targets: &[Vec<u32>], ways: &[Vec<Arm>]) -> bool {
    let Some(way) = ways.first() else {
        return false;
    };
    if ways.iter().any(Vec::is_empty) {
        return true;
    }
    let decider = way[0].0;
    targets[decider as usize].iter().all(|to| {
        let elsewhere = |way: &Vec<Arm>| {
            let mut here = way.iter().filter(|arm| arm.0 == decider).peekable();
            here.peek().is_some() && here.all(|arm| arm.1 != *to)
        };
        let left = ways.iter().filter(|way| !elsewhere(way));
        let rest: Vec<Vec<Arm>> = left
            .map(|way| way.iter().copied().filter(|arm| arm.0 != decider).collect())
            .collect();
        all_ways(targets, &rest)
    })
}
