//! Names that an exploration has learnt, in a form that two processes can compare.
//!
//! An object is named by the place where it is first used, so in a shard, which executes
//! only some of the schedules, two names of one object may never be found to be one. Two
//! explorations that have joined different names search different sets of outcomes, and
//! their shares do not add up to a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::panic::Location;

use rustc_hash::FxHasher;

use crate::code::NodeId;
use crate::digest;
use crate::knowledge::Knowledge;
use crate::turns;
use crate::words::ObjectId;

impl Knowledge {
    /// Digest of the names that were found to be names of one object, and of the loops that
    /// were found to end: the same in every process that has learnt the same.
    pub(crate) fn learnt_names(&self) -> u64 {
        let mut same: BTreeMap<ObjectId, BTreeSet<u64>> = BTreeMap::new();
        for (from, to) in self.renamings() {
            let names = same.entry(to).or_default();
            names.extend([self.name_digest(from), self.name_digest(to)]);
        }
        // By their names, because numbers of objects differ from process to process.
        let classes: BTreeSet<BTreeSet<u64>> = same.into_values().collect();
        let mut hasher = FxHasher::default();
        classes.hash(&mut hasher);
        self.gave_up.hash(&mut hasher);
        hasher.finish()
    }

    /// Digest of the name of an object: the place where it is first used, and its state.
    fn name_digest(&self, object: ObjectId) -> u64 {
        let mut hasher = FxHasher::default();
        if let Some(((place, number, state), _)) = self.objects.get_index(object.index()) {
            self.write_place(*place, &mut hasher);
            number.hash(&mut hasher);
            digest::write(state, &mut hasher);
        }
        hasher.finish()
    }

    fn write_place(&self, place: NodeId, hasher: &mut FxHasher) {
        turns::path(self.owner(place), self).hash(hasher);
        self.digest(place).hash(hasher);
    }

    /// Notes that a loop gave up, in this line if that holds for all loops there, else at
    /// this place.
    pub(crate) fn note_gave_up(&mut self, place: NodeId, line: Option<Location<'static>>) {
        let mut hasher = FxHasher::default();
        match line {
            Some(line) => line.to_string().hash(&mut hasher),
            None => self.write_place(place, &mut hasher),
        }
        self.gave_up.insert(hasher.finish());
    }
}
