//! What the shipped specification of a model says of calls whose results may be unknown.

use commute_model::Value;
use commute_spec::models::Model as Sequential;
use commute_spec::{Invocation, Specification, shipped};

use crate::model::Label;

/// Models whose methods are possible in every state.
pub(super) const NEVER_WAIT: &[&str] = &[
    "atomic",
    "counter",
    "hashset",
    "map",
    "queue",
    "register",
    "set",
    "stack",
    "union_find",
];

/// Whether the two commute, whatever the results are that are not known, in every state.
pub(super) fn moves(model: &dyn Sequential, first: Label<'_>, second: Label<'_>) -> bool {
    let Some((spec, a, b)) = specification(model, first.method, second.method) else {
        return false;
    };
    let results = (results(model, first), results(model, second));
    let (Some(first_results), Some(second_results)) = &results else {
        return false;
    };
    spec.surely_commutes(
        Invocation::new(a, first.args, first_results),
        Invocation::new(b, second.args, second_results),
    )
}

/// Whether the call leaves the state as it was.
pub(super) fn only_reads(model: &dyn Sequential, label: Label<'_>) -> bool {
    let Some((spec, method, _)) = specification(model, label.method, label.method) else {
        return false;
    };
    let results = results(model, label);
    results.is_some_and(|results| !spec.may_mutate(Invocation::new(method, label.args, &results)))
}

/// The first shipped specification of the model that has both methods.
fn specification(
    model: &dyn Sequential,
    a: &str,
    b: &str,
) -> Option<(&'static Specification, usize, usize)> {
    // Of a channel with one receiver it is taken for granted that two calls of `recv`
    // are never made by two threads. Nothing is taken for granted here.
    let of_model = |spec: &&Specification| {
        spec.model.as_deref() == Some(model.name()) && model.name() != "mpsc"
    };
    let both = |spec: &'static Specification| Some((spec, spec.method(a)?, spec.method(b)?));
    shipped::all().iter().filter(of_model).find_map(both)
}

/// Its results one by one, opaque where nobody knows them.
fn results(model: &dyn Sequential, label: Label<'_>) -> Option<Vec<Value>> {
    let signature = model.signature(label.method)?;
    let mut results = match (signature.results - signature.shadow, label.result) {
        (_, None) => vec![],
        (1, Some(result)) => vec![result.clone()],
        (count, Some(Value::Tuple(results))) if results.len() == count => results.to_vec(),
        _ => return None,
    };
    results.resize(signature.results, Value::Opaque);
    Some(results)
}
