//! Locks in locks and blocks in blocks, so that they are drawn beside each other.

use std::collections::BTreeMap;

use commute_model::{Extent, ExtentKind};

/// As many locks are drawn side by side, and as many frames in each other.
const MOST_LOCKS: usize = 12;
const MOST_FRAMES: usize = 6;

/// How the extents of a scene are nested.
pub(super) struct Nesting {
    /// For each extent: of a lock the number of its bar, the first that is free when it
    /// begins; of a block how many are in each other inside of it.
    pub(super) levels: Vec<usize>,
    /// For each extent: how many locks its bar stands for, if it began first of these.
    pub(super) merged: Vec<usize>,
    /// How many locks are side by side, and how many frames in each other.
    pub(super) locks: usize,
    pub(super) frames: usize,
}

impl Nesting {
    /// How these extents are nested, as far as there is room.
    pub(super) fn of(extents: &[Extent]) -> Nesting {
        let mut levels = vec![0; extents.len()];
        let mut merged = vec![1; extents.len()];
        bars(extents, &mut levels, &mut merged);
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
            merged,
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

fn bars(extents: &[Extent], levels: &mut [usize], merged: &mut [usize]) {
    // The locks that each thread holds.
    let mut held: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in in_order(extents, false) {
        let extent = &extents[at];
        let held = held.entry(extent.thread).or_default();
        held.retain(|lock| extents[*lock].to.is_none_or(|to| to > extent.from));
        let is_free = |level: &usize| held.iter().all(|lock| levels[*lock] != *level);
        levels[at] = (0..MOST_LOCKS).find(is_free).unwrap_or(MOST_LOCKS - 1);
        // Where there is no room, the last bar stands for several.
        let level = levels[at];
        let mut same = held.iter().filter(|lock| levels[**lock] == level);
        if let Some(first) = same.next() {
            merged[*first] = merged[*first].max(2 + same.count());
        }
        held.push(at);
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
        fn locks_that_are_held_together_have_bars_of_their_own(
            extents in prop::collection::vec(extent(), 0..9)
        ) {
            let nesting = Nesting::of(&extents);
            let is_lock = |at: &usize| extents[*at].kind != ExtentKind::Block;
            let locks: Vec<usize> = (0..extents.len()).filter(is_lock).collect();
            for &one in &locks {
                // Those that are held when it begins.
                let others: Vec<usize> = { locks.iter().copied() }
                    .filter(|&other| {
                        let (other, of) = (&extents[other], &extents[one]);
                        other.thread == of.thread
                            && (other.from < of.from)
                            && other.to.is_none_or(|to| to > of.from)
                    })
                    .collect();
                let level = nesting.levels[one];
                for &other in &others {
                    prop_assert_ne!(level, nesting.levels[other]);
                }
                let begun = locks.iter().filter(|other| {
                    extents[**other].from == extents[one].from
                });
                prop_assert!(level < others.len() + begun.count(), "no room is left free");
                prop_assert_eq!(nesting.merged[one], 1);
            }
        }
    }

    #[test]
    fn the_last_bar_says_for_how_many_locks_it_stands() {
        let lock = |from: u64| Extent {
            thread: 0,
            from,
            to: Some(100 - from),
            kind: ExtentKind::Lock,
            name: String::new(),
        };
        let extents: Vec<Extent> = (0..15).map(lock).collect();
        let nesting = Nesting::of(&extents);
        assert_eq!(nesting.levels[10..], [10, 11, 11, 11, 11]);
        assert_eq!(nesting.merged[10..], [1, 4, 1, 1, 1]);
        assert_eq!(nesting.locks, MOST_LOCKS);
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
