//! In which order blocks may run.

use crate::ir::Function;

/// The blocks of a function that can be reached, each after those it comes
/// from, loops aside.
pub(super) struct Order<'p> {
    function: &'p Function,
    pub(super) blocks: Vec<usize>,
    /// Of each block its place among them.
    places: Vec<usize>,
}

impl Order<'_> {
    pub(super) fn of(function: &Function) -> Order<'_> {
        let mut blocks = Vec::new();
        let mut seen = vec![false; function.blocks.len()];
        let mut stack = Vec::new();
        if let Some(first) = seen.first_mut() {
            *first = true;
            stack.push((0, 0));
        }
        while let Some((block, next)) = stack.pop() {
            // The last target first, so that the first one is first in the end.
            let mut targets = function.blocks[block].terminator.targets().iter().rev();
            match targets.nth(next) {
                Some(target) => {
                    stack.push((block, next + 1));
                    let target = target.index();
                    if seen.get(target) == Some(&false) {
                        seen[target] = true;
                        stack.push((target, 0));
                    }
                }
                None => blocks.push(block),
            }
        }
        blocks.reverse();
        let mut places = vec![usize::MAX; function.blocks.len()];
        for (place, block) in blocks.iter().enumerate() {
            places[*block] = place;
        }
        Order {
            function,
            blocks,
            places,
        }
    }

    /// Whether a block may run after another one in the same turn of all loops.
    pub(super) fn leads_to(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.function.blocks.len()];
        let mut todo = vec![from];
        while let Some(block) = todo.pop() {
            for target in self.function.blocks[block].terminator.targets() {
                let target = target.index();
                // Where a loop begins again, the order goes back.
                let goes_on = self.places.get(target) > self.places.get(block);
                if goes_on && seen.get(target) == Some(&false) {
                    seen[target] = true;
                    todo.push(target);
                }
            }
        }
        seen.get(to) == Some(&true)
    }

    /// The blocks that may run after this one has ended.
    pub(super) fn after(&self, block: usize) -> Vec<bool> {
        let mut after = vec![false; self.function.blocks.len()];
        let mut todo = vec![block];
        while let Some(block) = todo.pop() {
            for target in self.function.blocks[block].terminator.targets() {
                if after.get(target.index()) == Some(&false) {
                    after[target.index()] = true;
                    todo.push(target.index());
                }
            }
        }
        after
    }
}
