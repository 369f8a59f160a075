//! What operations do, as far as it was asked: a table by states.

use rustc_hash::FxHashMap;

use crate::words::{ObjectId, Operation, ResultId};
use crate::world::StateId;

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effect {
    /// The states afterwards, of the first object and the second, if there is one.
    pub(crate) states: (StateId, StateId),
    pub(crate) result: ResultId,
}

/// What is known of an operation.
#[derive(Debug)]
pub(crate) struct Calls {
    pub(crate) first: ObjectId,
    pub(crate) second: Option<ObjectId>,
    pub(crate) asked: Asked,
}

impl Calls {
    pub(crate) fn of(operation: &Operation) -> Calls {
        Calls {
            first: operation.objects[0],
            second: operation.objects.get(1).copied(),
            asked: Asked::default(),
        }
    }
}

/// What it does in each state that was asked for: nothing, if it has to wait there.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// By the state of the only object, if that has a small number.
    few: Vec<Option<Option<Effect>>>,
    others: FxHashMap<(StateId, StateId), Option<Effect>>,
}

/// Numbers that are small.
const FEW: u32 = 1024;

impl Asked {
    #[inline]
    pub(crate) fn get(&self, first: StateId, second: StateId) -> Option<Option<Effect>> {
        if second == StateId::INITIAL && first.0 < FEW {
            return self.few.get(first.0 as usize).copied().flatten();
        }
        self.others.get(&(first, second)).copied()
    }

    pub(crate) fn put(&mut self, first: StateId, second: StateId, effect: Option<Effect>) {
        if second == StateId::INITIAL && first.0 < FEW {
            let index = first.0 as usize;
            if self.few.len() <= index {
                self.few.resize(index + 1, None);
            }
            self.few[index] = Some(effect);
        } else {
            self.others.insert((first, second), effect);
        }
    }
}
