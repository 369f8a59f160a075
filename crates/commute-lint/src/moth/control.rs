//! Control dependencies (MoTH, §4.1, Figure 5) on a control flow graph.
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
//! an end is left, for this purpose, before its first block.
//!
//! Cost: post-dominators by Cooper, Harvey and Kennedy, near linear.

use crate::ir::{Block, Terminator};

/// Of each block, the blocks whose branches decide about it directly.
pub(crate) fn decides(blocks: &[Block]) -> Vec<Vec<usize>> {
    let flow = Flow::of(blocks);
    let above = flow.post_dominators();
    let mut decided = vec![Vec::new(); blocks.len()];
    for (branch, block) in blocks.iter().enumerate() {
        let targets = block.terminator.targets();
        if targets.len() < 2 {
            continue;
        }
        for target in targets {
            let mut block = flow.before[target.index()];
            while Some(block) != above[branch] {
                if let Some(decided) = decided.get_mut(block) {
                    decided.push(branch);
                }
                match above[block] {
                    Some(next) if next != block => block = next,
                    _ => break,
                }
            }
        }
    }
    for branches in &mut decided {
        branches.sort_unstable();
        branches.dedup();
    }
    decided
}

/// The graph that post-dominators are computed on. After the blocks come a
/// node before each loop that has no end, and the end.
struct Flow {
    successors: Vec<Vec<usize>>,
    /// Where an edge to this block leads: the node before it, or itself.
    before: Vec<usize>,
    end: usize,
}

impl Flow {
    fn of(blocks: &[Block]) -> Flow {
        let doomed = doomed(blocks);
        let mut successors: Vec<Vec<usize>> = blocks
            .iter()
            .enumerate()
            .map(|(index, block)| {
                let targets = block.terminator.targets().iter().map(|t| t.index());
                targets.filter(|t| doomed[index] || !doomed[*t]).collect()
            })
            .collect();
        let ends = |block: &Block| block.terminator.targets().is_empty();
        let mut before: Vec<usize> = (0..blocks.len()).collect();
        let mut reaches: Vec<bool> = blocks.iter().map(ends).collect();
        let mut ending: Vec<usize> = (0..blocks.len()).filter(|b| reaches[*b]).collect();
        spread(&successors, &mut reaches);
        // In the order of the blocks: the first of a loop is its head.
        let mut heads = Vec::new();
        while let Some(head) = reaches.iter().position(|reached| !reached) {
            let head = endless(&successors, head);
            heads.push(head);
            reaches[head] = true;
            spread(&successors, &mut reaches);
        }
        let end = blocks.len() + heads.len();
        for (index, head) in heads.iter().enumerate() {
            before[*head] = blocks.len() + index;
        }
        for targets in &mut successors {
            targets
                .iter_mut()
                .for_each(|target| *target = before[*target]);
        }
        for (index, head) in heads.iter().enumerate() {
            successors.push(vec![*head, end]);
            ending.push(blocks.len() + index);
        }
        for block in ending.iter().filter(|block| **block < blocks.len()) {
            successors[*block].push(end);
        }
        successors.push(Vec::new());
        Flow {
            successors,
            before,
            end,
        }
    }

    /// The immediate post-dominator of each node. Cooper, Harvey, Kennedy: a
    /// simple, fast dominance algorithm, on the reversed graph.
    fn post_dominators(&self) -> Vec<Option<usize>> {
        let mut predecessors = vec![Vec::new(); self.successors.len()];
        for (from, targets) in self.successors.iter().enumerate() {
            for to in targets {
                predecessors[*to].push(from);
            }
        }
        let order = postorder(&predecessors, self.end);
        let mut number = vec![usize::MAX; self.successors.len()];
        for (position, node) in order.iter().enumerate() {
            number[*node] = position;
        }
        let mut above: Vec<Option<usize>> = vec![None; self.successors.len()];
        above[self.end] = Some(self.end);
        loop {
            let mut changed = false;
            for node in order.iter().rev().filter(|node| **node != self.end) {
                let mut known = self.successors[*node].iter().copied();
                let mut known = known.by_ref().filter(|next| above[*next].is_some());
                let Some(mut nearest) = known.next() else {
                    continue;
                };
                for mut other in known {
                    while nearest != other {
                        let behind = if number[nearest] < number[other] {
                            &mut nearest
                        } else {
                            &mut other
                        };
                        *behind = above[*behind].unwrap_or(self.end);
                    }
                }
                changed |= above[*node] != Some(nearest);
                above[*node] = Some(nearest);
            }
            if !changed {
                return above;
            }
        }
    }
}

/// Blocks from which every way ends in a stop.
fn doomed(blocks: &[Block]) -> Vec<bool> {
    let mut predecessors = vec![Vec::new(); blocks.len()];
    let mut left: Vec<usize> = Vec::new();
    let mut waiting = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let targets = block.terminator.targets();
        left.push(targets.len());
        for target in targets {
            predecessors[target.index()].push(index);
        }
        if block.terminator == Terminator::Stop {
            waiting.push(index);
        }
    }
    let mut doomed = vec![false; blocks.len()];
    while let Some(block) = waiting.pop() {
        doomed[block] = true;
        for before in &predecessors[block] {
            left[*before] -= 1;
            if left[*before] == 0 {
                waiting.push(*before);
            }
        }
    }
    doomed
}

/// Marks all from which a marked node is reached.
fn spread(successors: &[Vec<usize>], reaches: &mut [bool]) {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, targets) in successors.iter().enumerate() {
        for to in targets {
            predecessors[*to].push(from);
        }
    }
    let mut waiting: Vec<usize> = (0..reaches.len()).filter(|b| reaches[*b]).collect();
    while let Some(node) = waiting.pop() {
        for before in &predecessors[node] {
            if !std::mem::replace(&mut reaches[*before], true) {
                waiting.push(*before);
            }
        }
    }
}

/// The first block of a loop that is reached from `start` and never left.
fn endless(successors: &[Vec<usize>], start: usize) -> usize {
    let mut member = start;
    loop {
        let reached = postorder(successors, member);
        let mut back = vec![false; successors.len()];
        back[member] = true;
        spread(successors, &mut back);
        // From where there is no way back, it goes on to a later loop.
        match reached.iter().find(|node| !back[**node]) {
            Some(later) => member = *later,
            None => return reached.into_iter().min().unwrap_or(member),
        }
    }
}

fn postorder(successors: &[Vec<usize>], start: usize) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut stack = vec![(start, 0)];
    seen[start] = true;
    while let Some((node, next)) = stack.pop() {
        match successors[node].get(next) {
            Some(to) => {
                stack.push((node, next + 1));
                if !std::mem::replace(&mut seen[*to], true) {
                    stack.push((*to, 0));
                }
            }
            None => order.push(node),
        }
    }
    order
}
