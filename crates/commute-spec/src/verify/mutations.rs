//! What `mutates` says against what actions do.

use crate::evaluate::evaluate;
use crate::formula::Formula;
use crate::invocation::Invocation;
use crate::specification::{Mutates, Specification};
use crate::verify::conditions::well_formed;
use crate::verify::result::{HiddenChange, MutatesVerdict};
use crate::verify::space::Space;

/// Checks `mutates` of a method that fits the model; `None` if its formula
/// mentions a slot that the method does not have.
pub(super) fn check_mutates(
    spec: &Specification,
    space: &Space<'_>,
    index: usize,
) -> Option<MutatesVerdict> {
    let method = &spec.methods[index];
    let formula = match &method.mutates {
        Mutates::Never => &Formula::Const(false),
        Mutates::Unknown => &Formula::Const(true),
        Mutates::When(formula) => formula,
    };
    if !well_formed(formula, [method, method]) {
        return None;
    }
    let mut verdict = MutatesVerdict {
        method: index,
        hidden: 0,
        counterexample: None,
        idle: 0,
        idle_witness: None,
    };
    let mut least = None;
    for (number, action) in space.actions[index].iter().enumerate() {
        let invocation = Invocation::new(index, &action.args, &action.results);
        let interpretation = space.model.interpretation();
        let says = evaluate(formula, invocation, invocation, None, interpretation) != Some(false);
        let change = (0..space.domain).find_map(|state| {
            let end = action
                .from(state)
                .iter()
                .find(|end| **end as usize != state)?;
            Some((state, *end as usize))
        });
        match change {
            Some((state, end)) if !says => {
                verdict.hidden += 1;
                if least.is_none_or(|least| (state, number) < least) {
                    least = Some((state, number));
                    verdict.counterexample = Some(HiddenChange {
                        state: space.states[state].clone(),
                        action: space.concrete(&method.name, action),
                        end: space.states[end].clone(),
                    });
                }
            }
            None if says && method.mutates != Mutates::Unknown => {
                verdict.idle += 1;
                let witness = || space.concrete(&method.name, action);
                verdict.idle_witness.get_or_insert_with(witness);
            }
            _ => {}
        }
    }
    Some(verdict)
}
