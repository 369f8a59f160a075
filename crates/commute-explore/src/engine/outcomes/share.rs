//! What of an exploration is ours, if several processes share it that do not hear of
//! each other.
//!
//! Where the search of the graph comes to its end soon, everybody searches all of it,
//! which is quick, and each end is run by one of them: by what the threads have seen.
//! Where it does not, [`Partition`] says whose an outcome is.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::partition::Partition;
use crate::knowledge::Knowledge;
use crate::run::Places;
use crate::settings::Shard;

/// What is ours.
#[derive(Default)]
pub(super) struct Share {
    /// Which part, if not everything.
    pub(super) shard: Option<Shard>,
    /// By what it is decided, if the graph is large.
    pub(super) partition: Option<Partition>,
}

impl Share {
    /// Whether an outcome is left to others.
    pub(super) fn leaves(&self, known: &Knowledge, end: &Places) -> bool {
        let Some(shard) = self.shard else {
            return false;
        };
        let owner = match &self.partition {
            Some(partition) => partition.owner(known, end).unwrap_or(0),
            None => sights(known, end) % shard.of,
        };
        owner != shard.index
    }
}

impl Share {
    /// Whether all that can follow is left to others.
    pub(super) fn is_others(&self, known: &Knowledge, places: &Places) -> bool {
        let (Some(shard), Some(partition)) = (self.shard, &self.partition) else {
            return false;
        };
        { partition.owner(known, places) }.is_some_and(|owner| owner != shard.index)
    }
}

/// What threads have seen, whatever they are called, as a number that is the same in
/// every process, and for threads that were exchanged.
fn sights(known: &Knowledge, end: &Places) -> u64 {
    let thread = |place| {
        let mut hasher = FxHasher::default();
        let mut place = place;
        while let Some((before, result)) = known.before(place) {
            known.value(result).hash(&mut hasher);
            place = before;
        }
        // Small numbers are to make a difference in all bits.
        hasher.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16
    };
    let places = end.iter().flatten();
    places.fold(0, |sum: u64, place| sum.wrapping_add(thread(*place)))
}
