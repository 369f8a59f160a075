//! Which blocks of a function come before which.

use std::cell::{OnceCell, RefCell};

use petgraph::algo::dominators::{self, Dominators};
use petgraph::graphmap::DiGraphMap;
use rustc_hash::FxHashMap;

use crate::ir::{BlockId, Function};

/// The order of blocks.
pub(crate) struct Order {
    targets: Vec<Box<[BlockId]>>,
    above: Dominators<u32>,
    /// What is reached from a block, of those that were asked for; and whether
    /// without beginning the next round of a loop.
    reached: RefCell<FxHashMap<(u32, bool), Vec<bool>>>,
}

/// The order of a function's blocks, made when it is asked for.
pub(crate) struct Lazy<'f> {
    function: &'f Function,
    order: OnceCell<Order>,
}

impl<'f> Lazy<'f> {
    pub(crate) fn of(function: &'f Function) -> Lazy<'f> {
        Lazy {
            function,
            order: OnceCell::new(),
        }
    }

    pub(crate) fn get(&self) -> &Order {
        self.order.get_or_init(|| Order::of(self.function))
    }
}

impl Order {
    pub(crate) fn of(function: &Function) -> Order {
        let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
        graph.add_node(0);
        for (from, block) in function.blocks.iter().enumerate() {
            for to in block.terminator.targets() {
                graph.add_edge(from as u32, to.0, ());
            }
        }
        Order {
            targets: function
                .blocks
                .iter()
                .map(|block| block.terminator.targets().into())
                .collect(),
            above: dominators::simple_fast(&graph, 0),
            reached: RefCell::default(),
        }
    }

    /// Whether a statement may run after another, in the same round of a loop
    /// or in a later one.
    pub(crate) fn may_follow(&self, from: (u32, u32), to: (u32, u32)) -> bool {
        self.same_round(from, to) || self.reaches(from.0, to.0, false)
    }

    /// Whether a statement may run after another in the same round of every
    /// loop that both are in.
    pub(crate) fn same_round(&self, from: (u32, u32), to: (u32, u32)) -> bool {
        match from.0 == to.0 {
            true => from.1 < to.1,
            false => self.reaches(from.0, to.0, true),
        }
    }

    /// The blocks that every way to a block passes, the last one first.
    pub(crate) fn above(&self, block: u32) -> Vec<u32> {
        let above = self.above.strict_dominators(block);
        above.into_iter().flatten().collect()
    }

    /// Whether an edge begins the next round of a loop: every way to its
    /// source passes its target.
    fn is_back(&self, from: u32, to: u32) -> bool {
        let above = self.above.dominators(from);
        above.is_some_and(|mut above| above.any(|block| block == to))
    }

    /// Whether every way from a block to the end passes one of these.
    pub(crate) fn always_passes(&self, from: u32, blocks: &[u32]) -> bool {
        let mut seen = vec![false; self.targets.len()];
        let mut todo: Vec<BlockId> = self.targets[from as usize].to_vec();
        let mut passes = !todo.is_empty();
        while let Some(block) = todo.pop() {
            if blocks.contains(&block.0) || std::mem::replace(&mut seen[block.index()], true) {
                continue;
            }
            let targets = &self.targets[block.index()];
            passes &= !targets.is_empty();
            todo.extend(targets.iter());
        }
        passes
    }

    fn reaches(&self, from: u32, to: u32, forward: bool) -> bool {
        let mut reached = self.reached.borrow_mut();
        let seen = reached
            .entry((from, forward))
            .or_insert_with(|| self.reached(from, forward));
        seen[to as usize]
    }

    fn reached(&self, from: u32, forward: bool) -> Vec<bool> {
        let mut seen = vec![false; self.targets.len()];
        let mut todo = vec![from];
        while let Some(block) = todo.pop() {
            for target in &self.targets[block as usize] {
                if forward && self.is_back(block, target.0) {
                    continue;
                }
                if !std::mem::replace(&mut seen[target.index()], true) {
                    todo.push(target.0);
                }
            }
        }
        seen
    }
}

/// For each block its place in reverse postorder: loops settle quickly if
/// blocks are taken in this order.
pub(crate) fn reverse_postorder(function: &Function) -> Vec<usize> {
    let blocks = function.blocks.len();
    let mut order = vec![usize::MAX; blocks];
    let mut seen = vec![false; blocks];
    let mut finished = Vec::with_capacity(blocks);
    let mut stack: Vec<(u32, usize)> = Vec::new();
    if blocks > 0 {
        stack.push((0, 0));
        seen[0] = true;
    }
    while let Some((block, next)) = stack.pop() {
        let targets: &[BlockId] = function.blocks[block as usize].terminator.targets();
        if let Some(target) = targets.get(next) {
            stack.push((block, next + 1));
            if !std::mem::replace(&mut seen[target.index()], true) {
                stack.push((target.0, 0));
            }
        } else {
            finished.push(block);
        }
    }
    for (place, block) in finished.iter().rev().enumerate() {
        order[*block as usize] = place;
    }
    order
}
