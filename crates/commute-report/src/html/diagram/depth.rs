//! Locks in locks and blocks in blocks, so that they are drawn beside each other.

use std::collections::BTreeMap;

use commute_model::{Extent, ExtentKind};

/// As many locks are drawn side by side, and as many frames in each other.
const MOST_LOCKS: usize = 12;
const MOST_FRAMES: usize = 6;

/// How the extents of a scene are nested.
pub(super) struct Nesting {
    /// For each extent: of a lock in how many others of its thread it is begun, of a block
    /// how many are in each other inside of it.
    pub(super) levels: Vec<usize>,
    /// How many locks are side by side, and how many frames in each other.
    pub(super) locks: usize,
    pub(super) frames: usize,
}

impl Nesting {
    /// How these extents are nested, as far as there is room.
    pub(super) fn of(extents: &[Extent]) -> Nesting {
        let mut levels = vec![0; extents.len()];
        outer_locks(extents, &mut levels);
        inner_blocks(extents, &mut levels);
        let (mut locks, mut frames) = (0, 0);
        for (extent, level) in extents.iter().zip(&levels) {
            match extent.kind {
                ExtentKind::Block => frames = frames.max(level + 1),
                ExtentKind::Lock | ExtentKind::SharedLock => locks = locks.max(level + 1),
            }
        }
        Nesting {
            levels,
            locks,
            frames,
        }
    }
}

/// The extents of a kind or another, by their beginnings.
fn in_order(extents: &[Extent], blocks: bool) -> Vec<usize> {
    let is_one = |at: &usize| (extents[*at].kind == ExtentKind::Block) == blocks;
    let mut order: Vec<usize> = (0..extents.len()).filter(is_one).collect();
    order.sort_by_key(|at| extents[*at].from);
    order
}

fn outer_locks(extents: &[Extent], levels: &mut [usize]) {
    // The locks that each thread holds.
    let mut held: BTreeMap<usize, Vec<&Extent>> = BTreeMap::new();
    for at in in_order(extents, false) {
        let extent = &extents[at];
        let held = held.entry(extent.thread).or_default();
        held.retain(|lock| lock.to.is_none_or(|to| to > extent.from));
        let outer = held.iter().filter(|lock| lock.from < extent.from).count();
        levels[at] = outer.min(MOST_LOCKS - 1);
        held.push(extent);
    }
}

fn inner_blocks(extents: &[Extent], levels: &mut [usize]) {
    // The blocks that each thread is in, the innermost last.
    let mut open: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in in_order(extents, true) {
        let extent = &extents[at];
        let open = open.entry(extent.thread).or_default();
        open.retain(|outer| extents[*outer].to.is_none_or(|to| to > extent.from));
        open.push(at);
        // The one around has at least one more inside than this.
        for (inside, outer) in open.iter().rev().enumerate() {
            levels[*outer] = levels[*outer].max(inside.min(MOST_FRAMES - 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn extent() -> impl Strategy<Value = Extent> {
        let kinds = prop_oneof![
            Just(ExtentKind::Lock),
            Just(ExtentKind::SharedLock),
            Just(ExtentKind::Block)
        ];
        let to = prop::option::of(0_u64..8);
        (0_usize..2, 0_u64..12, to, kinds).prop_map(|(thread, from, length, kind)| Extent {
            thread,
            from,
            to: length.map(|length| from + length),
            kind,
            name: String::new(),
        })
    }

    proptest! {
        #[test]
        fn a_lock_is_as_deep_as_there_are_locks_around_its_beginning(
            extents in prop::collection::vec(extent(), 0..9)
        ) {
            for (extent, level) in extents.iter().zip(Nesting::of(&extents).levels) {
                if extent.kind == ExtentKind::Block {
                    continue;
                }
                let outer = extents.iter().filter(|other| {
                    other.thread == extent.thread
                        && other.kind != ExtentKind::Block
                        && other.from < extent.from
                        && other.to.is_none_or(|to| to > extent.from)
                });
                prop_assert_eq!(level, outer.count().min(MOST_LOCKS - 1));
            }
        }
    }

    #[test]
    fn a_frame_leaves_room_for_those_in_it() {
        let block = |from, to| Extent {
            thread: 0,
            from,
            to,
            kind: ExtentKind::Block,
            name: String::new(),
        };
        let extents = [
            block(1, Some(20)),
            block(2, Some(9)),
            block(3, Some(4)),
            block(10, None),
        ];
        let nesting = Nesting::of(&extents);
        assert_eq!(nesting.levels, [2, 1, 0, 0]);
        assert_eq!((nesting.locks, nesting.frames), (0, 3));
    }
}
