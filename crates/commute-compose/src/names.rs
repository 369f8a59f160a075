//! Whether objects that have different names are known to be different ones.
//!
//! A thread that was only ever run alone may have named one that has another name, too.
//! So it counts which objects were used together in a run.

use commute_explore::{Knowledge, ObjectId, OpId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A set of objects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Used(u32);

impl Used {
    /// No object.
    pub(crate) const NONE: Used = Used(0);
}

/// All sets of objects that were used, and what is known of them.
#[derive(Debug)]
pub(crate) struct Names {
    sets: Vec<Vec<ObjectId>>,
    numbers: FxHashMap<Vec<ObjectId>, Used>,
    by: FxHashMap<OpId, Used>,
    both: FxHashMap<(Used, Used), Used>,
    /// Those whose objects are all different ones.
    right: FxHashSet<Used>,
    /// Objects that were used in one run: they are not one with two names.
    apart: FxHashSet<(ObjectId, ObjectId)>,
}

impl Default for Names {
    fn default() -> Names {
        let mut names = Names {
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            by: FxHashMap::default(),
            both: FxHashMap::default(),
            right: FxHashSet::default(),
            apart: FxHashSet::default(),
        };
        names.number(Vec::new());
        names
    }
}

impl Names {
    fn number(&mut self, set: Vec<ObjectId>) -> Used {
        if let Some(known) = self.numbers.get(&set) {
            return *known;
        }
        let number = Used(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    /// What an operation uses, too.
    pub(crate) fn and(&mut self, used: Used, op: OpId, known: &Knowledge) -> Used {
        let by = match self.by.get(&op) {
            Some(by) => *by,
            None => {
                let mut objects = known.operation(op).objects.to_vec();
                objects.sort_unstable();
                objects.dedup();
                let by = self.number(objects);
                self.by.insert(op, by);
                by
            }
        };
        self.both(used, by)
    }

    /// What is in one of two sets.
    pub(crate) fn both(&mut self, one: Used, other: Used) -> Used {
        if one == other || other == Used::NONE {
            return one;
        }
        if let Some(known) = self.both.get(&(one, other)) {
            return *known;
        }
        let sets = [one, other].map(|set| &self.sets[set.0 as usize]);
        let mut all: Vec<ObjectId> = sets.into_iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        let both = self.number(all);
        self.both.insert((one, other), both);
        both
    }

    /// Whether all objects of a set are known to be different ones.
    pub(crate) fn are_right(&mut self, used: Used, known: &Knowledge) -> bool {
        if self.right.contains(&used) {
            return true;
        }
        let set = self.sets[used.0 as usize].iter().copied();
        let pairs = pairs(set, known);
        let are_right = pairs.iter().all(|pair| self.apart.contains(pair));
        if are_right {
            self.right.insert(used);
        }
        are_right
    }

    /// These were used in a run.
    pub(crate) fn were_used(&mut self, objects: impl Iterator<Item = ObjectId>, known: &Knowledge) {
        self.apart.extend(pairs(objects, known));
    }
}

/// Those of some objects of which it is not known from their names that they are two.
fn pairs(used: impl Iterator<Item = ObjectId>, known: &Knowledge) -> Vec<(ObjectId, ObjectId)> {
    let mut objects: SmallVec<[ObjectId; 16]> = used.collect();
    objects.sort_unstable();
    objects.dedup();
    let mut pairs = Vec::new();
    for (index, one) in objects.iter().enumerate() {
        let others = objects[index + 1..].iter();
        let others = others.filter(|other| known.may_be_one(*one, **other));
        pairs.extend(others.map(|other| (*one, *other)));
    }
    pairs
}
