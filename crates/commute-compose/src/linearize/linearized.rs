//! Sets of calls that have been put into an order.

use smallvec::SmallVec;

/// A set of calls, each known by its rank: how many calls return before it. Pending
/// calls come last.
///
/// Let `r` be the first call to return that is not in the set. All that is in it and
/// returns later was invoked before `r` returned, so it is open then, and a process has
/// at most one such call. So a set takes as much room as there are processes, however
/// long the history is.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Linearized {
    /// All calls below this rank are in it.
    below: usize,
    /// So are these, sorted, and the first one is not `below`.
    others: SmallVec<[usize; 4]>,
}

impl Linearized {
    pub(super) fn insert(&mut self, rank: usize) {
        let place = self.others.partition_point(|&other| other < rank);
        self.others.insert(place, rank);
        let full = { self.others.iter().zip(self.below..) }
            .take_while(|&(&other, next)| other == next)
            .count();
        self.others.drain(..full);
        self.below += full;
    }

    pub(super) fn remove(&mut self, rank: usize) {
        if rank >= self.below {
            self.others.retain(|other| *other != rank);
            return;
        }
        self.others.insert_many(0, rank + 1..self.below);
        self.below = rank;
    }

    /// How many are not kept by a single number.
    pub(super) fn others(&self) -> usize {
        self.others.len()
    }

    /// About how many bytes it takes to keep the set.
    pub(super) fn size(&self) -> usize {
        let spilled = match self.others.spilled() {
            true => self.others.len() * size_of::<usize>(),
            false => 0,
        };
        size_of::<Linearized>() + spilled
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn of(ranks: &BTreeSet<usize>) -> Linearized {
        let mut set = Linearized::default();
        ranks.iter().for_each(|&rank| set.insert(rank));
        set
    }

    proptest! {
        #[test]
        fn a_set_is_the_same_however_it_came_to_be(
            ranks in proptest::collection::btree_set(0usize..12, 0..12),
            order in any::<proptest::sample::Index>(),
            more in proptest::collection::vec(0usize..12, 0..12),
        ) {
            let mut set = Linearized::default();
            let list: Vec<usize> = ranks.iter().copied().collect();
            for i in 0..list.len() {
                set.insert(list[(i + order.index(12)) % list.len()]);
            }
            prop_assert_eq!(&set, &of(&ranks));
            let mut now = ranks;
            for rank in more {
                match now.remove(&rank) {
                    true => set.remove(rank),
                    false => {
                        now.insert(rank);
                        set.insert(rank);
                    }
                }
                prop_assert_eq!(&set, &of(&now));
            }
        }
    }
}
