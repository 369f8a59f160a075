//! Which branches decide directly whether a block runs (MoTH, §4.1, Figure 5,
//! on a control flow graph).
//!
//! Figure 5 keeps the set `IS` of conditions that enclose a statement. On a
//! graph, a block depends on a branch if one way from there must come to the
//! block and another need not: if it post-dominates a target of the branch and
//! not the branch itself (Ferrante, Ottenstein, Warren 1987). `IS` is what is
//! reached by doing that again for the branch's block.
//!
//! Deviations: after `if b { return x }` the rest of the method depends on `b`;
//! by the figure's letter it does not, because the rule Return goes on with the
//! next statement. Ways that can only end in [`Terminator::Stop`] (panics)
//! decide nothing for the others; the paper has no exceptions. A loop without
//! an end is left, for this purpose, at its last block.

use petgraph::algo::dominators::{self, Dominators};
use petgraph::graphmap::DiGraphMap;

use crate::ir::{Function, Terminator};

/// A branch that was taken: the block it is in, and where it went.
pub(crate) type Arm = (u32, u32);

/// For each block, the branches that decide about it directly.
pub(crate) fn direct(function: &Function) -> Vec<Vec<Arm>> {
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
    direct
}

/// Where each block goes on. Ways that only end the program do not count: a
/// panic is nobody's decision.
pub(crate) fn going_on(function: &Function) -> Vec<Vec<u32>> {
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
