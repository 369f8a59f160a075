//! Where a branch stops to matter: the block that every way from it goes
//! through.

use commute_lint::ir::{BlockId, Function};

/// For each block the nearest other block that every way to the end goes
/// through; none, if that is only the end.
pub(crate) fn postdominators(function: &Function) -> Vec<Option<BlockId>> {
    let count = function.blocks.len();
    assert!(count <= 128, "sets of blocks are 128 bits");
    let all = u128::MAX >> (128 - count);
    let mut after = vec![all; count];
    let mut changes = true;
    while changes {
        changes = false;
        for (at, block) in function.blocks.iter().enumerate().rev() {
            let targets = block.terminator.targets();
            let common = targets
                .iter()
                .map(|target| after[target.index()])
                .reduce(|a, b| a & b)
                .unwrap_or(0);
            let new = common | 1 << at;
            changes |= new != after[at];
            after[at] = new;
        }
    }
    // Of the blocks that come after one, the nearest has all others after it.
    (0..count)
        .map(|at| {
            let others = after[at] & !(1 << at);
            (0..count)
                .find(|near| others & 1 << near != 0 && after[*near] == others)
                .map(|near| BlockId(near as u32))
        })
        .collect()
}
