//! What was seen, in the names that things have now.
//!
//! If two names turn out to be names of one object, a search has to begin anew: it took
//! for two what is one. But no run used both, so what threads did at all places and how
//! runs ended is what it was, with one name in place of the other.

use rustc_hash::FxHashMap;

use crate::code::Next;
use crate::knowledge::Knowledge;
use crate::run::Run;
use crate::words::{OpId, Operation};
use crate::world::{StateId, World};

impl Knowledge {
    /// Whether what is known can be kept. What is said of threads that may be exchanged
    /// has names in it.
    pub(crate) fn can_rename(&self) -> bool {
        !self.has_likes()
    }

    /// Everything that is done anywhere is done to the objects by their names of now.
    pub(crate) fn rename_code(&mut self) {
        let mut renamed = FxHashMap::default();
        for node in self.code.places() {
            if let Some(Next::Op(op)) = self.next(node) {
                let op = *op;
                let now = *(renamed.entry(op)).or_insert_with(|| self.renamed_op(op));
                self.code.replace(node, Next::Op(now));
            }
        }
    }

    fn renamed_op(&mut self, op: OpId) -> OpId {
        let operation = self.operation(op);
        let objects = operation.objects.iter();
        let objects = objects.map(|object| self.name_of(*object)).collect();
        if objects == operation.objects {
            return op;
        }
        let operation = Operation {
            objects,
            ..operation.clone()
        };
        self.op(operation)
    }

    /// The same for states.
    pub(crate) fn rename_world(&mut self, world: &mut World) {
        for (from, to) in self.renamings() {
            let state = world.state(from);
            if state != StateId::INITIAL {
                let now = self.same_state(from, state, to);
                world.set(from, StateId::INITIAL);
                world.set(to, now);
            }
        }
    }

    /// The same for a run.
    pub(crate) fn rename_run(&mut self, run: &mut Run) {
        let begun = run.begun.iter_mut();
        let worlds = begun.map(|begun| (&mut begun.steps, &mut begun.world));
        for (steps, world) in worlds.chain([(&mut run.steps, &mut run.world)]) {
            for step in steps {
                step.op = self.renamed_op(step.op);
            }
            self.rename_world(world);
        }
    }
}
