//! Which calls can be swapped, by the shipped specification of a model.
//!
//! A specification says when two calls commute: both orders lead to the same, or neither
//! is possible. That is less than what is asked for here: two `union`s that would both
//! change something commute, but the one that comes second may not change anything then,
//! and returns something else. So two methods of which that is true in any small state
//! are left to whoever knows the states.

use std::collections::BTreeMap;
use std::sync::Mutex;

use commute_model::Value;
use commute_spec::models::Model as Sequential;
use commute_spec::{Invocation, Specification, evaluate, shipped};

use crate::model::Called;

/// As [`crate::Model::swaps`].
pub(super) fn swaps(model: &'static dyn Sequential, a: Called<'_>, b: Called<'_>) -> Option<bool> {
    let commutes = commutes(model, a, b)?;
    match commutes && disturbs(model, a.method, b.method) {
        true => None,
        false => Some(commutes),
    }
}

/// As [`crate::Model::only_reads`]: what the specification does not declare to change the
/// object.
pub(super) fn only_reads(model: &dyn Sequential, called: Called<'_>) -> bool {
    let Some((spec, method, _)) = specification(model, called.method, called.method) else {
        return false;
    };
    let bound = Bound::new(model, called, method);
    bound.is_some_and(|bound| !spec.mutates(bound.invocation()))
}

/// As [`crate::Model::waits`]: whether it has to, in some small state.
pub(super) fn waits(model: &dyn Sequential, method: &str) -> bool {
    let waits = |state: &Value, args: &Vec<Value>| model.step(state, method, args).is_empty();
    let arguments = model.arguments(method);
    let mut states = model.states().into_iter();
    states.any(|state| arguments.iter().any(|args| waits(&state, args)))
}

/// What the specification says; nothing if it needs the state, or a result that nobody
/// has seen.
fn commutes(model: &dyn Sequential, a: Called<'_>, b: Called<'_>) -> Option<bool> {
    let (spec, first, second) = specification(model, a.method, b.method)?;
    let (a, b) = (Bound::new(model, a, first)?, Bound::new(model, b, second)?);
    let (condition, swapped) = spec.pair(first, second);
    let (x, y) = match swapped {
        true => (b.invocation(), a.invocation()),
        false => (a.invocation(), b.invocation()),
    };
    let holds = |x, y| evaluate(&condition.formula, x, y, None, model.interpretation());
    match first == second {
        // Symmetric in theory; what cannot be proved must not matter.
        true => Some(holds(x, y)? && holds(y, x)?),
        false => holds(x, y),
    }
}

/// The first shipped specification of the model that has both methods.
fn specification(
    model: &dyn Sequential,
    a: &str,
    b: &str,
) -> Option<(&'static Specification, usize, usize)> {
    let of_model = |spec: &&Specification| spec.model.as_deref() == Some(model.name());
    let both = |spec: &'static Specification| Some((spec, spec.method(a)?, spec.method(b)?));
    shipped::all().iter().filter(of_model).find_map(both)
}

/// A call with its results apart.
struct Bound<'a> {
    method: usize,
    args: &'a [Value],
    results: &'a [Value],
}

impl<'a> Bound<'a> {
    fn new(model: &dyn Sequential, called: Called<'a>, method: usize) -> Option<Bound<'a>> {
        let signature = model.signature(called.method)?;
        if signature.shadow > 0 {
            return None;
        }
        let results = match (signature.results, called.result) {
            (1, result) => std::slice::from_ref(result),
            (_, Value::Tuple(results)) => &results[..],
            _ => return None,
        };
        Some(Bound {
            method,
            args: called.args,
            results,
        })
    }

    fn invocation(&self) -> Invocation<'a> {
        Invocation::new(self.method, self.args, self.results)
    }
}

/// Whether in some small state both calls could be made, commute, and yet one changes
/// what the other returns or whether it can be made. Asked once for every two methods.
fn disturbs(model: &'static dyn Sequential, a: &str, b: &str) -> bool {
    static KNOWN: Mutex<BTreeMap<(String, String, String), bool>> = Mutex::new(BTreeMap::new());
    let key = (model.name().to_owned(), a.to_owned(), b.to_owned());
    let known = || {
        KNOWN
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    };
    if let Some(known) = known().get(&key) {
        return *known;
    }
    let found = enumerate(model, a, b);
    known().insert(key, found);
    found
}

fn enumerate(model: &dyn Sequential, a: &str, b: &str) -> bool {
    let step = |state: &Value, method: &str, args: &[Value]| {
        let outcome = model.step(state, method, args).into_iter().next()?;
        let result = match &outcome.results[..] {
            [one] => one.clone(),
            several => Value::tuple(several.iter().cloned()),
        };
        Some((outcome.state, result))
    };
    let (firsts, seconds) = (model.arguments(a), model.arguments(b));
    for state in model.states() {
        for (x, y) in firsts
            .iter()
            .flat_map(|x| seconds.iter().map(move |y| (x, y)))
        {
            let (Some((after_a, result_a)), Some((after_b, result_b))) =
                (step(&state, a, x), step(&state, b, y))
            else {
                continue;
            };
            let called = |method, args, result| Called {
                method,
                args,
                result,
            };
            let (call_a, call_b) = (called(a, x, &result_a), called(b, y, &result_b));
            if commutes(model, call_a, call_b) != Some(true) {
                continue;
            }
            let b_later = step(&after_a, b, y).map(|(_, result)| result);
            let a_later = step(&after_b, a, x).map(|(_, result)| result);
            if b_later != Some(result_b) || a_later != Some(result_a) {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use commute_spec::models;

    use super::*;

    /// By definition, over all small states: what swaps does so wherever it can be.
    #[test]
    fn what_swaps_does_so_in_every_small_state() {
        let mut swapped = 0;
        for model in models::all() {
            let step = |state: &Value, method: &str, args: &[Value]| {
                model.step(state, method, args).into_iter().next()
            };
            for a in model.methods() {
                for b in model.methods() {
                    if a.shadow + b.shadow > 0 {
                        continue;
                    }
                    for state in model.states() {
                        for x in model.arguments(a.name).iter().take(6) {
                            for y in model.arguments(b.name).iter().take(6) {
                                let first = step(&state, a.name, x);
                                let second = step(&state, b.name, y);
                                let then = first.as_ref().and_then(|f| step(&f.state, b.name, y));
                                let swap = |r: &[Value], q: &[Value]| {
                                    let value = |r: &[Value]| match r {
                                        [one] => one.clone(),
                                        many => Value::tuple(many.iter().cloned()),
                                    };
                                    let (r, q) = (value(r), value(q));
                                    let called = |method, args, result| Called {
                                        method,
                                        args,
                                        result,
                                    };
                                    let a = called(a.name, x.as_slice(), &r);
                                    let b = called(b.name, y.as_slice(), &q);
                                    swaps(*model, a, b) == Some(true)
                                };
                                // Both can be made: neither disturbs the other.
                                if let (Some(f), Some(s)) = (&first, &second)
                                    && swap(&f.results, &s.results)
                                {
                                    swapped += 1;
                                    let then = then.as_ref().expect("it can still be made");
                                    assert_eq!(then.results, s.results);
                                    let back = step(&s.state, a.name, x).expect("so can this");
                                    assert_eq!(back.results, f.results);
                                    assert_eq!(back.state, then.state);
                                }
                                // One after the other: the other way round as well.
                                if let (Some(f), Some(t)) = (&first, &then)
                                    && swap(&f.results, &t.results)
                                {
                                    let s = second.as_ref().expect("it could be made before");
                                    assert_eq!(s.results, t.results);
                                    let back = step(&s.state, a.name, x).expect("and this then");
                                    assert_eq!(
                                        (&back.results, &back.state),
                                        (&f.results, &t.state)
                                    );
                                }
                            }
                        }
                    }
                }
            }
        }
        assert!(swapped > 10_000, "{swapped}");
    }

    #[test]
    fn two_unions_may_disturb_each_other() {
        let union_find = models::named("union_find").expect("a built-in model");
        assert!(disturbs(union_find, "union", "union"));
        assert!(!disturbs(union_find, "find", "find"));
        let set = models::named("set").expect("a built-in model");
        assert!(!disturbs(set, "add", "add"));
    }

    #[test]
    fn what_only_reads_changes_no_small_state() {
        use crate::model::Model;
        let mut reads = 0;
        for model in models::all() {
            let specified = super::super::Specified::new(*model);
            for method in model.methods() {
                for args in model.arguments(method.name) {
                    for state in model.states() {
                        let Some(after) = specified.step(&[&state], method.name, &args) else {
                            continue;
                        };
                        if specified.only_reads(method.name, &args, &after.result) {
                            assert_eq!(after.states[0], state, "{}.{}", model.name(), method.name);
                            reads += 1;
                        }
                    }
                }
            }
        }
        assert!(reads > 1_000, "{reads}");
    }

    #[test]
    fn what_overwrites_does_not_look() {
        use crate::model::Model;
        for model in models::all() {
            let specified = super::super::Specified::new(*model);
            for method in model
                .methods()
                .iter()
                .filter(|m| specified.overwrites(m.name))
            {
                for args in model.arguments(method.name) {
                    let steps = model.states().into_iter().map(|state| {
                        let stepped = specified.step(&[&state], method.name, &args);
                        stepped.expect("it never waits")
                    });
                    let mut after: Vec<_> = steps.map(|s| (s.states, s.result)).collect();
                    after.dedup();
                    assert_eq!(after.len(), 1, "{}.{}", model.name(), method.name);
                    assert_eq!(after[0].1, Value::unit());
                }
            }
        }
    }
}
