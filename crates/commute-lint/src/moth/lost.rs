//! Acquisitions of locks that are no regions of MoTH, or regions of a lock of
//! which no global variable and no local is known.

use super::dependencies::Dependencies;
use crate::ir::{Callee, Effect, FunctionId, Place, Program, Statement};
use crate::lost::{Acquisitions, Loss, LostSection, returns_guard};

/// The lost acquisitions of what is reached.
pub(crate) fn lost(program: &Program, found: &Dependencies) -> Vec<LostSection> {
    let mut acquisitions = Acquisitions::default();
    if !program.guarded {
        return acquisitions.lost();
    }
    for id in found.order.iter().flatten() {
        let function = program.function(*id);
        let statements = function.blocks.iter().flat_map(|block| &block.statements);
        for (statement, site) in statements {
            let Statement::Call {
                to,
                callee: Callee::Library { name, effect },
                arguments,
            } = statement
            else {
                continue;
            };
            if matches!(effect, Effect::Acquire(_)) {
                let loss = (!is_known(found, *id, to)).then_some(Loss::UnknownLock);
                acquisitions.add(function, *site, name, loss);
            } else if returns_guard(program, function, to, arguments) {
                acquisitions.add(function, *site, name, Some(Loss::UnknownCall));
            }
        }
    }
    acquisitions.lost()
}

/// Whether it is known to which variables a guard leads.
fn is_known(found: &Dependencies, function: FunctionId, guard: &Place) -> bool {
    let variables = &found.variables;
    !variables.behind(function, guard.local).is_empty()
        || !variables.pointees(function, guard.local).is_empty()
}
