//! A node of a blockchain keeps what it has seen in sets, one for each slot.
//! The index of a set is looked up in one critical section and used in another,
//! while pruning removes old sets: the vote goes to the set of another slot.
//@ finding: ObservedVotes::observe
use std::collections::HashSet;
use std::sync::RwLock;

struct SlotSet {
    slot: u64,
    roots: HashSet<u64>,
}

#[derive(Default)]
pub struct ObservedVotes {
    sets: RwLock<Vec<SlotSet>>,
}

fn position(sets: &mut Vec<SlotSet>, slot: u64) -> usize {
    if let Some(index) = sets.iter().position(|set| set.slot == slot) {
        return index;
    }
    sets.push(SlotSet {
        slot,
        roots: HashSet::new(),
    });
    sets.len() - 1
}

impl ObservedVotes {
    pub fn prune(&self, oldest: u64) {
        self.sets.write().unwrap().retain(|set| set.slot >= oldest);
    }

    #[cfg(not(fixed))]
    fn set_index(&self, slot: u64) -> usize {
        position(&mut self.sets.write().unwrap(), slot)
    }

    #[cfg(not(fixed))]
    pub fn observe(&self, slot: u64, root: u64) -> bool {
        let index = self.set_index(slot);
        self.sets
            .write()
            .unwrap()
            .get_mut(index)
            .is_some_and(|set| set.roots.insert(root))
    }

    #[cfg(fixed)]
    pub fn observe(&self, slot: u64, root: u64) -> bool {
        let mut sets = self.sets.write().unwrap();
        let index = position(&mut sets, slot);
        sets.get_mut(index)
            .is_some_and(|set| set.roots.insert(root))
    }
}
