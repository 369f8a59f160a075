//! The states of all objects.

use smallvec::SmallVec;

use crate::words::ObjectId;

/// A state of an object, by its number among those of that object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

impl StateId {
    /// In which an object begins.
    pub const INITIAL: StateId = StateId(0);
}

/// The states of all objects at a moment. Objects that nobody has used yet are as they
/// were at the beginning, so they need not be here: worlds are compared without them.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct World {
    /// By object, without initial states at the end.
    states: SmallVec<[StateId; 8]>,
}

impl Clone for World {
    fn clone(&self) -> World {
        World {
            states: SmallVec::from_slice(&self.states),
        }
    }

    /// Searches copy worlds all the time; memory that is there is used again.
    fn clone_from(&mut self, other: &World) {
        self.states.clear();
        self.states.extend_from_slice(&other.states);
    }
}

impl World {
    /// The state of an object.
    #[inline]
    pub fn state(&self, object: ObjectId) -> StateId {
        let state = self.states.get(object.index());
        state.copied().unwrap_or(StateId::INITIAL)
    }

    /// The states of the first objects; all others are as they were at the beginning.
    pub(crate) fn states(&self) -> &[StateId] {
        &self.states
    }

    /// Changes it.
    #[inline]
    pub fn set(&mut self, object: ObjectId, state: StateId) {
        let index = object.index();
        if index >= self.states.len() {
            if state == StateId::INITIAL {
                return;
            }
            self.states.resize(index + 1, StateId::INITIAL);
        }
        self.states[index] = state;
        while self.states.last() == Some(&StateId::INITIAL) {
            self.states.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_are_equal_if_all_states_are() {
        let mut a = World::default();
        a.set(ObjectId(3), StateId(1));
        assert_ne!(a, World::default());
        assert_eq!(a.state(ObjectId(3)), StateId(1));
        assert_eq!(a.state(ObjectId(9)), StateId::INITIAL);
        a.set(ObjectId(3), StateId::INITIAL);
        a.set(ObjectId(7), StateId::INITIAL);
        assert_eq!(a, World::default());
    }
}
