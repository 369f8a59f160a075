//! Which branches decide whether a block runs (control dependence after
//! Ferrante, Ottenstein and Warren; Figure 5 of MoTH for any control flow).

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::rc::Rc;

use petgraph::algo::dominators::{self, Dominators};
use petgraph::graphmap::DiGraphMap;

use crate::flow::order::Order;
use crate::ir::{Function, Terminator};

/// In larger functions no checks are looked for.
const CHECKED: usize = 400;

/// A branch that was taken: the block it is in, and where it went.
pub(crate) type Arm = (u32, u32);

/// Which branches decide whether a block runs.
pub(crate) struct Deciders {
    /// For each block, those that decide directly or through another. Sorted.
    pub(crate) all: Vec<Rc<[Arm]>>,
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
    let exit = blocks as u32;
    let mut back: DiGraphMap<u32, ()> = DiGraphMap::new();
    let successors = going_on(function);
    for (from, targets) in successors.iter().enumerate() {
        if targets.is_empty() {
            back.add_edge(exit, from as u32, ());
        }
        for to in targets {
            back.add_edge(*to, from as u32, ());
        }
    }
    leave_endless_loops(&mut back, exit, blocks);
    let behind = dominators::simple_fast(&back, exit);
    let mut direct: Vec<Vec<Arm>> = vec![Vec::new(); blocks];
    for (from, targets) in successors.iter().enumerate() {
        if targets.len() < 2 {
            continue;
        }
        for to in targets {
            mark(&behind, from as u32, *to, exit, &mut direct);
        }
    }
    let checks = match function.blocks.len() <= CHECKED {
        true => checks(function),
        false => vec![Vec::new(); blocks],
    };
    Deciders {
        all: closure(&direct).into_iter().map(Rc::from).collect(),
        tried: tried(function, &checks, &direct),
        direct,
        forks: successors.iter().map(|targets| targets.len() > 1).collect(),
        checks,
    }
}

/// Where each block goes on. Ways that only end the program do not count: a
/// panic is nobody's decision.
fn going_on(function: &Function) -> Vec<Vec<u32>> {
    let lost = lost(function);
    let blocks = function.blocks.iter();
    blocks
        .map(|block| {
            let targets = block.terminator.targets();
            let all = || targets.iter().map(|id| id.0);
            let mut on: Vec<u32> = all().filter(|id| !lost[*id as usize]).collect();
            if on.is_empty() {
                on = all().collect();
            }
            on.sort_unstable();
            on.dedup();
            on
        })
        .collect()
}

/// The blocks from which every way ends the program.
fn lost(function: &Function) -> Vec<bool> {
    let blocks = function.blocks.len();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); blocks];
    let mut left: Vec<usize> = Vec::with_capacity(blocks);
    for (from, block) in function.blocks.iter().enumerate() {
        let targets = block.terminator.targets();
        left.push(targets.len());
        for target in targets {
            before[target.index()].push(from as u32);
        }
    }
    let stops = |at: &usize| matches!(function.blocks[*at].terminator, Terminator::Stop);
    let mut todo: Vec<usize> = (0..blocks).filter(stops).collect();
    let mut lost = vec![false; blocks];
    while let Some(at) = todo.pop() {
        lost[at] = true;
        for from in &before[at] {
            let left = &mut left[*from as usize];
            *left -= 1;
            if *left == 0 {
                todo.push(*from as usize);
            }
        }
    }
    lost
}

/// Loops that never end have no way to the exit: they get one.
fn leave_endless_loops(back: &mut DiGraphMap<u32, ()>, exit: u32, blocks: usize) {
    back.add_node(exit);
    let mut reached = vec![false; blocks + 1];
    let mut todo = vec![exit];
    let mut next = blocks;
    loop {
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut reached[at as usize], true) {
                todo.extend(back.neighbors(at));
            }
        }
        // From the last block backwards: the end of a loop comes after its begin.
        while next > 0 && reached[next - 1] {
            next -= 1;
        }
        if next == 0 {
            return;
        }
        back.add_edge(exit, next as u32 - 1, ());
        todo.push(next as u32 - 1);
    }
}

fn mark(behind: &Dominators<u32>, from: u32, to: u32, exit: u32, direct: &mut [Vec<Arm>]) {
    let stop = behind.immediate_dominator(from);
    let mut at = Some(to);
    while let Some(block) = at {
        if Some(block) == stop || block == exit {
            break;
        }
        if !direct[block as usize].contains(&(from, to)) {
            direct[block as usize].push((from, to));
        }
        at = behind.immediate_dominator(block);
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
    let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
    graph.add_node(0);
    let successors = going_on(function);
    for (from, targets) in successors.iter().enumerate() {
        for to in targets {
            graph.add_edge(from as u32, *to, ());
        }
    }
    let before = dominators::simple_fast(&graph, 0);
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
