//! Acquisitions of locks while a function is followed: whether a critical
//! section begins, and of which lock.

use std::collections::BTreeSet;

use crate::flow::access::Summary;
use crate::flow::path::Root;
use crate::flow::state::State;
use crate::flow::value::Value;
use crate::flow::walk::Walk;
use crate::ir::{Callee, Effect, Function, FunctionId, Local, Operand, Place, Statement};
use crate::lost::{Loss, returns_guard};

impl Walk<'_, '_> {
    /// Records that a lock is taken here. Of several visits the last one counts,
    /// because it knows the most.
    pub(crate) fn note_acquisition(&mut self, call: &str, loss: Option<Loss>) {
        if self.world.program.guarded {
            let place = (self.spot, self.site);
            self.acquisitions.insert(place, (call.to_owned(), loss));
        }
    }

    /// Records that an operation takes the lock that a value points to.
    pub(crate) fn note_lock(&mut self, state: &State, call: &str, lock: &Value) {
        let unknown = self.is_unknown(state, lock);
        self.note_acquisition(call, unknown.then_some(Loss::UnknownLock));
    }

    /// Records a call that returns a guard, unless the call itself is known to
    /// take a lock.
    pub(crate) fn note_guard(
        &mut self,
        to: &Place,
        callee: &Callee,
        arguments: &[Operand],
        result: &Value,
    ) {
        if !returns_guard(self.world.program, self.function, to, arguments) {
            return;
        }
        let is_lost = result.all_guards().is_empty();
        match callee {
            Callee::Library {
                effect: Effect::Acquire(_) | Effect::Enter,
                ..
            } => {}
            Callee::Library { name, .. } => {
                self.note_acquisition(name, is_lost.then_some(Loss::UnknownCall));
            }
            Callee::Functions(functions) => {
                let names = functions
                    .iter()
                    .map(|id| &self.world.program.function(*id).name);
                let name = names.min().cloned().unwrap_or_default();
                self.note_acquisition(&name, is_lost.then_some(Loss::UnknownLock));
            }
        }
    }

    /// Records a call of a function that takes locks that it is given.
    pub(crate) fn note_given_locks(
        &mut self,
        state: &State,
        summary: &Summary,
        arguments: &[Value],
        function: FunctionId,
    ) {
        let mut given: BTreeSet<usize> = BTreeSet::new();
        for info in summary.regions.values() {
            let (root, hops) = self.world.paths.split(info.lock);
            if let (Root::Parameter(local), true) = (root, hops.is_empty()) {
                given.insert(local.index().wrapping_sub(1));
            }
        }
        if given.is_empty() {
            return;
        }
        let mut lost = None;
        for lock in given.iter().filter_map(|at| arguments.get(*at)) {
            if self.is_unknown(state, lock) {
                lost = Some(Loss::UnknownLock);
            }
        }
        let name = &self.world.program.function(function).name;
        self.note_acquisition(name, lost);
    }

    /// Whether it is not known which object a value points to: it comes from
    /// calls that are not known.
    fn is_unknown(&mut self, state: &State, object: &Value) -> bool {
        let object = self.through(state, object);
        let is_unknown = |root: Root| match root {
            Root::Constant(_) => true,
            Root::Local(local) => {
                let value = state.locals.get(local.index());
                let is_empty = |value: &Value| value.points.is_empty() && value.fields.is_empty();
                value.is_some_and(|value| is_empty(value)) && is_result(self.function, local)
            }
            Root::Parameter(_) | Root::Static(_) | Root::New(_) => false,
        };
        let mut points = object.points.iter();
        points.all(|path| is_unknown(self.world.paths.root_of(*path)))
    }
}

/// Whether a local is the result of a call whose value is not known.
fn is_result(function: &Function, local: Local) -> bool {
    let mut statements = function.blocks.iter().flat_map(|block| &block.statements);
    statements.any(|(statement, _)| match statement {
        Statement::Call { to, callee, .. } => {
            let is_known = matches!(
                callee,
                Callee::Library {
                    effect: Effect::Wrap | Effect::Operation(_),
                    ..
                }
            );
            to.local == local && !is_known
        }
        Statement::Assign { .. } | Statement::Drop(_) => false,
    })
}
