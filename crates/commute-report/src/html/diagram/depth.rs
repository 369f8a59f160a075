//! Locks in locks, so that they are drawn side by side.

use std::collections::BTreeMap;

use commute_model::{Extent, ExtentKind};

/// As many are drawn side by side.
const DEEPEST: usize = 3;

/// For each extent, in how many locks of its thread it is begun, as far as there is room.
pub(super) fn depths(extents: &[Extent]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..extents.len()).collect();
    order.sort_by_key(|at| extents[*at].from);
    let mut depths = vec![0; extents.len()];
    // The locks that each thread holds.
    let mut held: BTreeMap<usize, Vec<&Extent>> = BTreeMap::new();
    for at in order {
        let extent = &extents[at];
        let held = held.entry(extent.thread).or_default();
        held.retain(|lock| lock.to.is_none_or(|to| to > extent.from));
        let outer = held.iter().filter(|lock| lock.from < extent.from).count();
        depths[at] = outer.min(DEEPEST - 1);
        if extent.kind != ExtentKind::Block {
            held.push(extent);
        }
    }
    depths
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
            for (extent, depth) in extents.iter().zip(depths(&extents)) {
                let outer = extents.iter().filter(|other| {
                    other.thread == extent.thread
                        && other.kind != ExtentKind::Block
                        && other.from < extent.from
                        && other.to.is_none_or(|to| to > extent.from)
                });
                prop_assert_eq!(depth, outer.count().min(DEEPEST - 1));
            }
        }
    }
}
