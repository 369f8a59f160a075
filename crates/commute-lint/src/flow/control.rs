//! Which branches decide whether a block runs, directly or not, and which it
//! has passed.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use petgraph::algo::dominators::{self, Dominators};
use petgraph::graphmap::DiGraphMap;

use crate::control::{Arm, direct, going_on};
use crate::flow::order::Order;
use crate::ir::Function;

/// In larger functions no checks are looked for.
const CHECKED: usize = 400;

/// Which branches decide whether a block runs.
pub(crate) struct Deciders {
    /// For each block, those that decide directly or through another. Sorted.
    pub(crate) all: Vec<Arc<[Arm]>>,
    /// For each block, those that decide directly.
    pub(crate) direct: Vec<Vec<Arm>>,
    /// For each block, those that every way to it passes.
    pub(crate) checks: Vec<Vec<u32>>,
    /// For each block, the last branch that every way to it passes, if a loop
    /// leads back from it: it was tried until it may go on.
    pub(crate) tried: Vec<Option<u32>>,
    /// For each block, whether it goes on in several ways.
    pub(crate) forks: Vec<bool>,
}

/// Finds the deciders of a function.
pub(crate) fn deciders(function: &Function) -> Deciders {
    let blocks = function.blocks.len();
    let direct = direct(function);
    let mut checks = match function.blocks.len() <= CHECKED {
        true => checks(function),
        false => vec![Vec::new(); blocks],
    };
    let tried = tried(function, &checks, &direct);
    if function.blocks.len() <= CHECKED {
        in_steps(function, &direct, &mut checks);
    }
    Deciders {
        all: closure(&direct).into_iter().map(Arc::from).collect(),
        tried,
        direct,
        forks: going_on(function)
            .iter()
            .map(|targets| targets.len() > 1)
            .collect(),
        checks,
    }
}

fn closure(direct: &[Vec<Arm>]) -> Vec<Vec<Arm>> {
    let mut all = Vec::with_capacity(direct.len());
    for block in 0..direct.len() {
        let mut found: BTreeSet<Arm> = BTreeSet::new();
        let mut todo: Vec<Arm> = direct[block].clone();
        while let Some(arm) = todo.pop() {
            if found.insert(arm) {
                todo.extend(&direct[arm.0 as usize]);
            }
        }
        all.push(found.into_iter().collect());
    }
    all
}

/// For each block, the branches that every way to it passes and that would
/// have led elsewhere: what they looked at has been checked. A loop that tries
/// again until it may go on has such a branch, although nothing behind the
/// loop depends on how often it ran.
pub(crate) fn checks(function: &Function) -> Vec<Vec<u32>> {
    let successors = going_on(function);
    let before = before(&successors);
    let mut checks = vec![Vec::new(); successors.len()];
    for (branch, targets) in successors.iter().enumerate() {
        if targets.len() < 2 {
            continue;
        }
        let reached: Vec<Vec<bool>> = targets
            .iter()
            .map(|target| without(&successors, *target, branch as u32))
            .collect();
        for (block, checks) in checks.iter_mut().enumerate() {
            let elsewhere = reached.iter().any(|reached| !reached[block]);
            let passes = || {
                before
                    .strict_dominators(block as u32)
                    .is_some_and(|mut above| above.any(|above| above == branch as u32))
            };
            if elsewhere && reached.iter().any(|reached| reached[block]) && passes() {
                checks.push(branch as u32);
            }
        }
    }
    checks
}

/// Adds what is checked in several steps: `if a { if b { return } }` leads to
/// what follows from both sides of `a`, but from one of them only by way of `b`.
fn in_steps(function: &Function, direct: &[Vec<Arm>], checks: &mut [Vec<u32>]) {
    let before = before(&going_on(function));
    for (block, checks) in checks.iter_mut().enumerate() {
        let above = before.strict_dominators(block as u32);
        let above: Vec<u32> = above.into_iter().flatten().collect();
        for (decider, _) in &direct[block] {
            if above.contains(decider) && !checks.contains(decider) {
                checks.push(*decider);
            }
        }
        checks.sort_unstable();
    }
}

/// What every way to a block passes.
fn before(successors: &[Vec<u32>]) -> Dominators<u32> {
    let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
    graph.add_node(0);
    for (from, targets) in successors.iter().enumerate() {
        for to in targets {
            graph.add_edge(from as u32, *to, ());
        }
    }
    dominators::simple_fast(&graph, 0)
}

/// The last of the checks of each block, unless it decides about the block
/// anyway.
fn tried(function: &Function, checks: &[Vec<u32>], direct: &[Vec<Arm>]) -> Vec<Option<u32>> {
    let order = Order::of(function);
    let last = |(block, checks): (usize, &Vec<u32>)| {
        let above = order.above(block as u32);
        let last = above.into_iter().find(|above| checks.contains(above))?;
        let decides = direct[block].iter().any(|(decider, _)| *decider == last);
        (!decides).then_some(last)
    };
    checks.iter().enumerate().map(last).collect()
}

/// The blocks that are reached without passing another.
fn without(successors: &[Vec<u32>], from: u32, avoid: u32) -> Vec<bool> {
    let mut reached = vec![false; successors.len()];
    let mut todo = vec![from];
    while let Some(at) = todo.pop() {
        if at != avoid && !std::mem::replace(&mut reached[at as usize], true) {
            todo.extend(&successors[at as usize]);
        }
    }
    reached
}
