//! What `order` says against what actions return.
//!
//! The mark promises that no value flows between the two methods. Prediction
//! relies on it: of two such actions that both change the object, the later one
//! may happen without the earlier one. So it must return the same without it,
//! as far as a caller can see.

use crate::invocation::Invocation;
use crate::specification::Specification;
use crate::verify::result::{FlowingValue, OrderVerdict};
use crate::verify::space::{Action, Space};

/// Checks the mark of a pair that has it; both methods must fit the model.
pub(super) fn check_order(
    spec: &Specification,
    space: &Space<'_>,
    (first, second): (usize, usize),
) -> OrderVerdict {
    let mut verdict = OrderVerdict {
        first,
        second,
        dependent: 0,
        counterexample: None,
    };
    check_direction(spec, space, (first, second), &mut verdict);
    if first != second {
        check_direction(spec, space, (second, first), &mut verdict);
    }
    verdict
}

/// Actions of `later` that come after actions of `earlier`.
fn check_direction(
    spec: &Specification,
    space: &Space<'_>,
    (earlier, later): (usize, usize),
    verdict: &mut OrderVerdict,
) {
    let names = [earlier, later].map(|method| spec.methods[method].name.as_str());
    let seen = seen_results(space, names[1], spec.methods[later].results.len());
    for b in changing(spec, space, earlier) {
        for a in changing(spec, space, later) {
            let flows = |state: &usize| {
                !space.sequence(*state, b, a).is_empty()
                    && !possible_without(&space.actions[later], *state, a, seen)
            };
            let Some(state) = (0..space.domain).find(flows) else {
                continue;
            };
            verdict.dependent += 1;
            verdict.counterexample.get_or_insert_with(|| FlowingValue {
                state: space.states[state].clone(),
                earlier: space.concrete(names[0], b),
                later: space.concrete(names[1], a),
            });
        }
    }
}

/// The actions of a method that change the object, says the specification.
fn changing<'s>(
    spec: &'s Specification,
    space: &'s Space<'_>,
    method: usize,
) -> impl Iterator<Item = &'s Action> {
    let invocation = move |a: &Action| spec.mutates(Invocation::new(method, &a.args, &a.results));
    space.actions[method].iter().filter(move |a| invocation(a))
}

/// Whether the call can return in this state what its caller saw.
fn possible_without(actions: &[Action], state: usize, action: &Action, seen: usize) -> bool {
    let looks_the_same = |other: &&Action| {
        other.args == action.args && other.results[..seen] == action.results[..seen]
    };
    let mut same = actions.iter().filter(looks_the_same);
    same.any(|other| !other.from(state).is_empty())
}

/// How many of its results, the first ones, a caller of the method sees.
fn seen_results(space: &Space<'_>, method: &str, results: usize) -> usize {
    let signature = space.model.signature(method);
    results - signature.map_or(0, |signature| signature.shadow)
}
