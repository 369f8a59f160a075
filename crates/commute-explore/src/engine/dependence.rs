//! When two steps can be swapped.
//!
//! A step is judged by its *label*, what was called and what came of it. Two labels are
//! independent if, in every state, whichever is possible stays possible after the other
//! with the same result, both orders lead to the same state, and neither makes the other
//! possible. That is more than to commute: two `lock`s commute, because no order of them
//! is possible at all.
//!
//! Where it depends on the state (two `union`s) only those states count that the
//! operations of the program can lead to, all of them in any order, if they are not too
//! many. Operations that become known later can lead to more of them; then a verdict may
//! have to be taken back, and whoever built on it begins again.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::knowledge::Knowledge;
use crate::model::Called;
use crate::words::{ObjectId, OpId, ResultId};
use crate::world::{StateId, World};

/// States of an object that are looked at.
const MOST: usize = 256;

/// What was done, and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Label {
    pub(crate) op: OpId,
    pub(crate) result: ResultId,
}

/// Verdicts so far.
#[derive(Debug, Default)]
pub(crate) struct Dependence {
    verdicts: FxHashMap<(Label, Label), bool>,
    met: FxHashSet<OpId>,
    reaches: FxHashMap<ObjectId, Reach>,
    taken_back: bool,
}

/// The states that the operations of an object can lead to.
#[derive(Debug, Default)]
struct Reach {
    ops: Vec<OpId>,
    /// Whether one of them uses another object, too: then states do not tell.
    is_shared: bool,
    states: IndexSet<StateId, FxBuildHasher>,
    /// Pairs that are independent in all of them.
    independent: Vec<(Label, Label)>,
}

impl Dependence {
    /// Takes note of an operation that the program does.
    pub(crate) fn meet(&mut self, op: OpId, known: &mut Knowledge) {
        if !self.met.insert(op) {
            return;
        }
        let objects = known.operation(op).objects.clone();
        for object in &objects {
            let object = *object;
            let reach = self.reaches.entry(object).or_default();
            reach.ops.push(op);
            reach.is_shared |= objects.len() > 1;
            // Nobody has asked yet, or there are too many.
            if reach.states.is_empty() || reach.states.len() > MOST {
                continue;
            }
            reach.grow(object, known);
            for (a, b) in std::mem::take(&mut reach.independent) {
                if reach.swaps(object, a, b, known) {
                    reach.independent.push((a, b));
                } else {
                    self.verdicts.insert((a, b), false);
                    self.taken_back = true;
                }
            }
        }
    }

    /// Whether a verdict was taken back since this was last asked.
    pub(crate) fn was_taken_back(&mut self) -> bool {
        std::mem::take(&mut self.taken_back)
    }

    /// Whether the steps of two threads are independent.
    pub(crate) fn independent(&mut self, a: Label, b: Label, known: &mut Knowledge) -> bool {
        let (a, b) = (a.min(b), a.max(b));
        let (first, second) = (known.operation(a.op), known.operation(b.op));
        let shared = |object: &&ObjectId| second.objects.contains(object);
        let Some(object) = first.objects.iter().find(shared).copied() else {
            return true;
        };
        if let Some(verdict) = self.verdicts.get(&(a, b)) {
            return *verdict;
        }
        let alone = first.objects.len() == 1 && second.objects.len() == 1;
        let verdict = if known.only_reads(a.op, a.result) && known.only_reads(b.op, b.result) {
            true
        } else if !alone {
            false
        } else {
            let call = |label: Label| {
                let operation = known.operation(label.op);
                Called {
                    method: operation.method,
                    args: &operation.args,
                    result: known.value(label.result),
                }
            };
            match known.model(object).swaps(call(a), call(b)) {
                Some(verdict) => verdict,
                None => self.swaps_in_reach(object, a, b, known),
            }
        };
        self.verdicts.insert((a, b), verdict);
        verdict
    }

    fn swaps_in_reach(
        &mut self,
        object: ObjectId,
        a: Label,
        b: Label,
        known: &mut Knowledge,
    ) -> bool {
        self.meet(a.op, known);
        self.meet(b.op, known);
        let reach = self.reaches.entry(object).or_default();
        reach.grow(object, known);
        let verdict = reach.swaps(object, a, b, known);
        if verdict {
            reach.independent.push((a, b));
        }
        verdict
    }
}

impl Reach {
    /// Finds all states, up to [`MOST`].
    fn grow(&mut self, object: ObjectId, known: &mut Knowledge) {
        self.states.insert(StateId::INITIAL);
        let mut next = 0;
        while let Some(state) = self.states.get_index(next).copied() {
            next += 1;
            for op in &self.ops {
                if self.states.len() > MOST {
                    return;
                }
                let mut world = alone(object, state);
                if known.operation(*op).objects.len() == 1 && known.step(&mut world, *op).is_some()
                {
                    self.states.insert(world.state(object));
                }
            }
        }
    }

    fn swaps(&self, object: ObjectId, a: Label, b: Label, known: &mut Knowledge) -> bool {
        !self.is_shared
            && self.states.len() <= MOST
            && self.states.iter().all(|state| {
                let world = alone(object, *state);
                swaps_at(&world, a, b, known) && swaps_at(&world, b, a, known)
            })
    }
}

fn alone(object: ObjectId, state: StateId) -> World {
    let mut world = World::default();
    world.set(object, state);
    world
}

/// If `a` is possible: `b` is possible before it iff it is after it, and both orders
/// lead to the same.
fn swaps_at(world: &World, a: Label, b: Label, known: &mut Knowledge) -> bool {
    let mut a_first = world.clone();
    if known.step(&mut a_first, a.op) != Some(a.result) {
        return true;
    }
    let mut b_first = world.clone();
    let before = known.step(&mut b_first, b.op) == Some(b.result);
    let after = known.step(&mut a_first, b.op) == Some(b.result);
    match (before, after) {
        (false, false) => true,
        (true, true) => known.step(&mut b_first, a.op) == Some(a.result) && a_first == b_first,
        _ => false,
    }
}
